package import Essentials
import PasswordHashing
package import Vestibule

extension SQLStore {
    package func accounts(
        in group: GroupName?, after emailKey: String?, limit: Int
    ) async throws -> [AccountSummary] {
        try await select(
            """
            SELECT \(Account.columns) FROM accounts WHERE email_key > $1 AND ($3 IS NULL OR EXISTS (
                SELECT 1 FROM account_groups WHERE account_id = accounts.id AND name = $3
            )) ORDER BY email_key LIMIT $2
            """,
            [emailKey ?? "", limit, group?.text], AccountSummary.init(row:))
    }

    package func account(_ name: AccountName) async throws -> AccountSummary? {
        let (column, value) =
            switch name {
            case .address(let email): ("email_key", email.key)
            case .id(let id): ("id", id.rawValue)
            }
        return try await selectOne(
            "SELECT \(Account.columns) FROM accounts WHERE \(column) = $1", [value], AccountSummary.init(row:))
    }

    package func formerHolder(of email: EmailAddress) async throws -> FormerHolder? {
        try await selectOne(
            "SELECT account_id, created_at FROM email_undos WHERE email_key = $1 ORDER BY created_at DESC LIMIT 1",
            [email.key]
        ) { FormerHolder(accountID: try $0["account_id"], until: try $0.date("created_at")) }
    }

    package func addInvitedAccount(_ account: Account, reset: MailedReset) async throws -> Bool {
        try await write { connection in
            let added = try connection.run(
                """
                INSERT INTO accounts (id, email, email_key, display_name, locale, created_at)
                VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (email_key) DO NOTHING
                """,
                [
                    account.id, account.email.typed, account.email.key, account.displayName, account.locale,
                    account.createdAt.ms,
                ]
            )
            guard added > 0 else { return false }
            try insert(reset, account.id, connection)
            return true
        }
    }

    package func addMailedReset(_ reset: MailedReset, accountID: AccountID) async throws -> Bool {
        try await write { connection in
            let row = try connection.one(
                "SELECT 1 FROM accounts WHERE id = $1 AND email_key = $2 AND disabled_at IS NULL",
                [accountID, reset.pending.code.email.key])
            guard row != nil else { return false }
            try connection.later("DELETE FROM pending_resets WHERE account_id = $1", [accountID])
            try insert(reset, accountID, connection)
            return true
        }
    }

    package func disableAccount(id: AccountID, event: SecurityEvent) async throws -> Bool {
        try await write(.urgent) { connection in
            let isDisabled = try insert(
                event, ifChanging: "UPDATE accounts SET disabled_at = $1 WHERE id = $2 AND disabled_at IS NULL",
                [event.at.ms, id], connection)
            if isDisabled { try carryOut(WaysInEnd(.disabled), of: id, connection) }
            return isDisabled
        }
    }

    package func enableAccount(id: AccountID, event: SecurityEvent) async throws -> Bool {
        try await write(.plain) { connection in
            try insert(
                event, ifChanging: "UPDATE accounts SET disabled_at = NULL WHERE id = $1 AND disabled_at IS NOT NULL",
                [id], connection)
        }
    }

    package func verifyAccount(id: AccountID, event: SecurityEvent) async throws -> Bool {
        try await write { connection in
            let isVerified = try insert(
                event, ifChanging: "UPDATE accounts SET verified_at = $1 WHERE id = $2 AND verified_at IS NULL",
                [event.at.ms, id], connection)
            guard isVerified, let row = try connection.one("SELECT created_at FROM accounts WHERE id = $1", [id])
            else { return isVerified }
            let end = WaysInEnd.vouchedFor(madeAt: try row.date("created_at"))
            try endUnprovedWays(of: id, by: end, at: event.at, connection)
            return true
        }
    }

    private func insert(_ reset: MailedReset, _ accountID: AccountID, _ connection: Connection) throws {
        try insert(reset.pending, accountID: accountID, connection)
        try insert(reset.mail, connection)
        try insert(reset.event, connection)
    }
}

extension AccountSummary {
    /// Reads a row of `Account.columns`.
    init(row: some SQLRow) throws {
        let hash = (try row["password_hash"] as String?).map(PasswordHash.init(phc:))
        self.init(account: try Account(row: row), passwordScheme: hash?.scheme)
    }
}
