package import Essentials
import GRDB
import PasswordHashing
package import Vestibule

extension SQLiteStore {
    package func accounts(after emailKey: String?, limit: Int) async throws -> [AccountSummary] {
        try await read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: "SELECT \(Account.columns) FROM accounts WHERE email_key > ? ORDER BY email_key LIMIT ?"
                ),
                arguments: [emailKey ?? "", limit]
            ).map(AccountSummary.init(row:))
        }
    }

    package func account(_ name: AccountName) async throws -> AccountSummary? {
        let (column, value) =
            switch name {
            case .address(let email): ("email_key", email.key)
            case .id(let id): ("id", id.rawValue)
            }
        return try await read { database in
            try Row.fetchOne(
                database, cachedSQL: "SELECT \(Account.columns) FROM accounts WHERE \(column) = ?", [value]
            )
            .map(AccountSummary.init(row:))
        }
    }

    package func addInvitedAccount(_ account: Account, reset: MailedReset) async throws -> Bool {
        try await write { database in
            try database.run(
                """
                INSERT INTO accounts (id, email, email_key, display_name, locale, created_at) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (email_key) DO NOTHING
                """,
                [
                    account.id, account.email.typed, account.email.key, account.displayName, account.locale,
                    account.createdAt.ms,
                ]
            )
            guard database.changesCount > 0 else { return false }
            try insert(reset, account.id, database)
            return true
        }
    }

    package func addMailedReset(_ reset: MailedReset, accountID: AccountID) async throws -> Bool {
        try await write { database in
            let row = try Row.fetchOne(
                database, cachedSQL: "SELECT 1 FROM accounts WHERE id = ? AND email_key = ? AND disabled_at IS NULL",
                [accountID, reset.pending.code.email.key]
            )
            guard row != nil else { return false }
            try database.run("DELETE FROM pending_resets WHERE account_id = ?", [accountID])
            try insert(reset, accountID, database)
            return true
        }
    }

    package func disableAccount(id: AccountID, event: SecurityEvent) async throws -> Bool {
        try await write { database in
            try database.run(
                "UPDATE accounts SET disabled_at = ? WHERE id = ? AND disabled_at IS NULL", [event.at.ms, id])
            guard database.changesCount > 0 else { return false }
            try carryOut(WaysInEnd(.disabled), of: id, database)
            try insert(event, database)
            return true
        }
    }

    package func enableAccount(id: AccountID, event: SecurityEvent) async throws -> Bool {
        try await write { database in
            try database.run(
                "UPDATE accounts SET disabled_at = NULL WHERE id = ? AND disabled_at IS NOT NULL", [id])
            guard database.changesCount > 0 else { return false }
            try insert(event, database)
            return true
        }
    }

    package func verifyAccount(id: AccountID, event: SecurityEvent) async throws -> Bool {
        try await write { database in
            try database.run(
                "UPDATE accounts SET verified_at = ? WHERE id = ? AND verified_at IS NULL", [event.at.ms, id])
            guard database.changesCount > 0 else { return false }
            try carryOut(WaysInEnd(.addressVerified), of: id, database)
            try insert(event, database)
            return true
        }
    }

    private func insert(_ reset: MailedReset, _ accountID: AccountID, _ database: Database) throws {
        try insert(reset.pending, accountID: accountID, database)
        try insert(reset.mail, database)
        try insert(reset.event, database)
    }
}

extension AccountSummary {
    init(row: Row) {
        let hash = (row["password_hash"] as String?).map(PasswordHash.init(phc:))
        self.init(account: Account(row: row), passwordScheme: hash?.scheme)
    }
}
