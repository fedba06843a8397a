package import Essentials
package import Foundation
package import Vestibule

extension SQLStore {
    package func addPendingEmailChange(
        _ pending: PendingEmailChange, by session: PresentedSession, mail: QueuedMail, event: SecurityEvent
    ) async throws {
        try await write { connection in
            try require(session, connection)
            try end(.emailChange, of: pending.accountID, connection)
            try connection.insert(
                pending.code, of: .emailChange, "account_id, email, mail_id",
                [pending.accountID, pending.code.email.typed, mail.id])
            try insert(mail, connection)
            try insert(event, connection)
        }
    }

    package func pendingEmailChange(flow: TokenDigest, now: Date) async throws -> PendingEmailChange? {
        try await readOne { try $0.pending(.emailChange, flow, now).map(PendingEmailChange.init(row:)) }
    }

    package func completeEmailChange(
        flow: TokenDigest, attempt: CodeAttempt, completion: EmailChangeCompletion, now: Date
    ) async throws -> CodeOutcome {
        try await write { connection in
            let row = try redeem(.emailChange, flow, attempt, now, connection)
            guard let pending = try row.map(PendingEmailChange.init(row:)) else { return .codeWrong }
            try require(absent: completion.renewal.absent, of: pending.accountID, connection)
            try connection.later("DELETE FROM pending_email_changes WHERE flow = $1", [flow])
            guard try !isTaken(pending.code.email.key, connection) else { return .taken }
            // Only from the address that the notice goes to: another change may have come first.
            // Browsers that know the new one are those of another account, which had it before.
            let changed = try connection.run(
                """
                UPDATE accounts SET email = $1, email_key = $2, verified_at = $3, browsers_known_since = $3
                WHERE id = $4 AND email_key = $5
                """,
                [
                    pending.code.email.typed, pending.code.email.key, now.ms, pending.accountID,
                    completion.undo.email.key,
                ]
            )
            guard changed > 0 else { return .codeWrong }
            try endResets(of: pending.accountID, completion.undo.email.key, connection)
            try delete(from: ["pending_logins"], pending.accountID, connection)
            let returns = try returns(to: pending, connection)
            if !returns { try insert(completion.undo, connection) }
            // Before the session: a refresh in progress has these rows, and asks for that one.
            try endRefreshTokens(of: pending.accountID, connection)
            try renew(completion.renewal, connection)
            try insert(returns ? completion.noticeOfReturn : completion.notice, connection)
            try insert(completion.event, connection)
            for key in [attempt.failuresKey, completion.failuresKey] { try forgetFailures(key, connection) }
            return .done
        }
    }

    /// Somebody who comes back to an address the account had lately undoes a change: nobody in
    /// between may undo that.
    private func returns(to pending: PendingEmailChange, _ connection: Connection) throws -> Bool {
        try connection.run(
            """
            DELETE FROM email_undos WHERE account_id = $1 AND created_at >=
                (SELECT min(created_at) FROM email_undos WHERE account_id = $1 AND email_key = $2)
            """,
            [pending.accountID, pending.code.email.key]
        ) > 0
    }

    /// Dates the undo after all earlier ones of the account, as the clocks of nodes differ.
    private func insert(_ undo: EmailUndoLink, _ connection: Connection) throws {
        try connection.later(
            """
            INSERT INTO email_undos (token, account_id, email, email_key, created_at, expires_at)
            VALUES ($1, $2, $3, $4, \(Self.sinceUndo("$5", account: "$2", later: 1)), $6)
            """,
            [undo.token, undo.accountID, undo.email.typed, undo.email.key, undo.createdAt.ms, undo.expiresAt.ms])
    }

    /// SQL for the later one of two moments in milliseconds: `moment`, and `later` milliseconds
    /// after the account's last change of address. Taking the address back ends what was added
    /// since that change, also where the node that adds it has a clock that is behind.
    static func sinceUndo(_ moment: String, account: String, later: Int = 0) -> String {
        """
        greatest(\(moment), coalesce(
            (SELECT max(created_at) + \(later) FROM email_undos WHERE account_id = \(account)), 0))
        """
    }
}

extension PendingEmailChange {
    init(row: some SQLRow) throws {
        self.init(code: try PendingCode(row: row), accountID: try row["account_id"])
    }
}
