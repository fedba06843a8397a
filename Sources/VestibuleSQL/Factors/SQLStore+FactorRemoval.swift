package import Essentials
package import Foundation
package import Vestibule

extension SQLStore {
    package func askFactorRemoval(
        accountID: AccountID, at now: Date, due: Date, notice: QueuedMail, event: SecurityEvent
    ) async throws -> Bool {
        try await write { connection in
            guard try factors(accountID, connection).asksSecondStep else { return false }
            try endFactorRemoval(of: accountID, connection)
            try connection.later(
                """
                INSERT INTO factor_removals (account_id, asked_at, due_at) VALUES ($1, $2, $3)
                ON CONFLICT (account_id) DO UPDATE SET asked_at = excluded.asked_at, due_at = excluded.due_at
                """,
                [accountID, now.ms, due.ms])
            // So that the owner can say no by signing in.
            try connection.later("DELETE FROM trusted_browsers WHERE account_id = $1", [accountID])
            try insert(notice, connection)
            try insert(event, connection)
            return true
        }
    }

    package func dueFactorRemovals(now: Date) async throws -> [DueFactorRemoval] {
        try await select(
            """
            SELECT \(Account.columns), due_at FROM factor_removals JOIN accounts ON accounts.id = account_id
            WHERE due_at <= $1 AND NOT EXISTS (SELECT 1 FROM outbox WHERE id = \(FactorRemovalNotice.column))
            ORDER BY due_at LIMIT 100
            """,
            [now.ms]
        ) { DueFactorRemoval(account: try Account(row: $0), dueAt: try $0.date("due_at")) }
    }

    package func removeFactors(
        accountID: AccountID, due: Date?, notice: QueuedMail, event: SecurityEvent
    ) async throws -> Bool {
        try await write { connection in
            if let due {
                let removed = try connection.run(
                    "DELETE FROM factor_removals WHERE account_id = $1 AND due_at = $2", [accountID, due.ms])
                guard removed > 0 else { return false }
            }
            guard try !factors(accountID, connection).isEmpty else { return false }
            try endFactorUndo(of: accountID, until: FactorUndoLink.expiry(from: event.at), connection)
            try carryOut(WaysInEnd(.factorsReset), of: accountID, connection)
            try insert(notice, connection)
            try insert(event, connection)
            return true
        }
    }

    /// Deletes a removal that waits, and its notice if that was not sent: it would be untrue.
    func endFactorRemoval(of accountID: AccountID, _ connection: Connection) throws {
        try connection.later("DELETE FROM outbox WHERE \(FactorRemovalNotice.ofAccount)", [accountID])
        try delete(from: ["factor_removals"], accountID, connection)
    }

    /// Deletes what is the account's.
    func delete(from tables: [String], _ accountID: AccountID, _ connection: Connection) throws {
        for table in tables { try connection.later("DELETE FROM \(table) WHERE account_id = $1", [accountID]) }
    }
}

extension FactorRemovalNotice {
    /// SQL for the id of the notice that belongs to a row of `factor_removals`.
    fileprivate static let column =
        "'factor-removal-' || factor_removals.account_id || '-' || factor_removals.due_at"
    /// Those in the outbox, as a condition; `$1` is the account.
    static let ofAccount = "id IN (SELECT \(column) FROM factor_removals WHERE account_id = $1)"
}
