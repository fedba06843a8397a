package import Essentials
package import Foundation
package import Vestibule

extension SQLStore {
    package func hold(_ form: HeldForm) async throws {
        let session = form.session
        // A new password ends what it sees: it must not miss a form that is kept meanwhile.
        try await write { connection in
            try require(session, connection)
            try connection.insert(
                into: "held_forms", "digest, session_id, sealed, expires_at",
                [form.digest, session.id, form.sealed, form.expiresAt.ms])
            try connection.later(
                """
                DELETE FROM held_forms WHERE session_id = $1 AND digest NOT IN (
                    SELECT digest FROM held_forms WHERE session_id = $1
                    ORDER BY expires_at DESC LIMIT \(HeldForm.mostPerSession)
                )
                """,
                [session.id])
        }
    }

    package func takeHeldForm(_ digest: TokenDigest, sessionID: SessionID, now: Date) async throws -> [UInt8]? {
        try await write(.plain) { connection in
            try connection.one(
                "DELETE FROM held_forms WHERE digest = $1 AND session_id = $2 AND expires_at > $3 RETURNING sealed",
                [digest, sessionID, now.ms]
            ).map { try $0.bytes("sealed") }
        }
    }
}
