package import Essentials
package import Foundation
import GRDB
package import Vestibule

extension SQLiteStore {
    package func askFactorRemoval(
        accountID: AccountID, at now: Date, due: Date, notice: QueuedMail, event: SecurityEvent
    ) async throws -> Bool {
        try await write { database in
            guard try hasFactors(accountID, database) else { return false }
            try database.run(
                "INSERT OR REPLACE INTO factor_removals (account_id, asked_at, due_at) VALUES (?, ?, ?)",
                [accountID, now.ms, due.ms])
            // So that the owner can say no by signing in.
            try database.run("DELETE FROM trusted_browsers WHERE account_id = ?", [accountID])
            try insert(notice, database)
            try insert(event, database)
            return true
        }
    }

    package func dueFactorRemovals(now: Date) async throws -> [DueFactorRemoval] {
        try await read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT \(Account.columns), due_at FROM factor_removals JOIN accounts ON accounts.id = account_id
                        WHERE due_at <= ? ORDER BY due_at LIMIT 100
                        """),
                arguments: [now.ms]
            ).map { DueFactorRemoval(account: Account(row: $0), dueAt: $0.date("due_at")) }
        }
    }

    package func removeFactors(
        accountID: AccountID, due: Date?, notice: QueuedMail, event: SecurityEvent
    ) async throws -> Bool {
        try await write { database in
            if let due {
                try database.run(
                    "DELETE FROM factor_removals WHERE account_id = ? AND due_at = ?", [accountID, due.ms])
                guard database.changesCount > 0 else { return false }
            }
            guard try hasFactors(accountID, database) else { return false }
            try carryOut(WaysInEnd(.factorsReset), of: accountID, database)
            try insert(notice, database)
            try insert(event, database)
            return true
        }
    }

    private func hasFactors(_ accountID: AccountID, _ database: Database) throws -> Bool {
        let factors = try factors(accountID, database)
        return !factors.passkeys.isEmpty || factors.totp != nil
    }
}
