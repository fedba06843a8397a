import Foundation
import GRDB
import Vestibule

/// Flows that wait for a code: each a table of its own, with the same columns for the code.
enum CodeFlow: String {
    case signup = "pending_signups"
    case reset = "pending_resets"
    case emailChange = "pending_email_changes"
    case emailUndo = "pending_email_undos"
}

extension Database {
    /// The flow's row, if the flow has not ended.
    func pending(_ kind: CodeFlow, _ flow: TokenDigest, _ now: Date) throws -> Row? {
        try Row.fetchOne(
            self, cachedSQL: "SELECT * FROM \(kind.rawValue) WHERE flow = ? AND expires_at > ?",
            [flow.bytes.data, now.ms]
        )
    }

    /// Puts a new code in place of the old one, unless the flow has ended or has no attempts left; returns the row.
    func renewCode(
        _ kind: CodeFlow, _ flow: TokenDigest, _ code: CodeDigest, expiresAt: Date, _ now: Date
    ) throws -> Row? {
        try Row.fetchOne(
            self,
            cachedSQL: """
                UPDATE \(kind.rawValue) SET code_digest = ?, code_expires_at = ?
                WHERE flow = ? AND expires_at > ? AND attempts < ? RETURNING *
                """,
            [code.bytes.data, expiresAt.ms, flow.bytes.data, now.ms, Code.attempts]
        )
    }

    /// Uses up one attempt in one statement; returns the row when the code was right and may still be used.
    func redeem(_ kind: CodeFlow, _ flow: TokenDigest, _ codes: [CodeDigest], _ now: Date) throws -> Row? {
        let row = try Row.fetchOne(
            self,
            cachedSQL: """
                UPDATE \(kind.rawValue) SET attempts = attempts + 1
                WHERE flow = ? AND code_expires_at > ? AND attempts < ? RETURNING *
                """,
            [flow.bytes.data, now.ms, Code.attempts]
        )
        return row.flatMap { codes.contains(CodeDigest(bytes: $0.bytes("code_digest"))) ? $0 : nil }
    }
}
