package import Essentials
import Foundation
import GRDB
package import Vestibule

extension SQLiteStore {
    package func use(_ once: Once) async throws -> Bool {
        do {
            try await write { try use(once, $0) }
            return true
        } catch is UsedBefore {
            return false
        }
    }

    package func identity(issuer: String, subject: String) async throws -> IdentityRecord? {
        try await read { database in
            let row = try Row.fetchOne(
                database, cachedSQL: "SELECT * FROM identities WHERE issuer = ? AND subject = ?", [issuer, subject])
            guard let identity = row.map(Identity.init(row:)) else { return nil }
            let account = try Row.fetchOne(
                database, cachedSQL: "SELECT \(Account.columns) FROM accounts WHERE id = ?", [identity.accountID])
            return account.map { IdentityRecord(identity: identity, account: Account(row: $0)) }
        }
    }

    /// Notes that the identity vouched for the account. Throws `UsedBefore`, and `Superseded` when
    /// the account has it no more.
    func use(_ identity: IdentityUse?, of accountID: AccountID, at now: Date, _ database: Database) throws {
        guard let identity else { return }
        try use(identity.once, database)
        try database.run(
            """
            UPDATE identities SET refresh_token = coalesce(?, refresh_token), last_used_at = max(created_at, ?)
            WHERE id = ? AND account_id = ?
            """,
            [identity.refreshToken?.data, now.ms, identity.id, accountID])
        guard database.changesCount > 0 else { throw Superseded() }
    }

    package func addAccount(
        _ new: NewAccount, identity: NewIdentity, once: Once?
    ) async throws -> IdentitySignup {
        try await write { database in
            guard try !isKnown(identity.identity, database) else { return .identityTaken }
            guard try !isTaken(new.account.email.key, database) else { return .emailTaken }
            try use(once, database)
            try insert(new, database)
            try insert(identity, database)
            return .created
        }
    }

    package func link(
        _ new: NewIdentity, by session: PresentedSession, once: Once?, notice: QueuedMail, event: SecurityEvent
    ) async throws -> Bool {
        try await write { database in
            try require(session, database)
            try use(once, database)
            guard try !isKnown(new.identity, database) else { return false }
            try insert(new, database)
            try insert(notice, database)
            try insert(event, database)
            return true
        }
    }

    package func linkedIdentities(emailKey: String) async throws -> [LinkedIdentity] {
        try await read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT * FROM identities WHERE account_id = (SELECT id FROM accounts WHERE email_key = ?)
                        ORDER BY created_at
                        """
                ),
                arguments: [emailKey]
            ).map { row in
                let token = (row["refresh_token"] as Data?).map { [UInt8]($0) }
                return LinkedIdentity(identity: Identity(row: row), refreshToken: token)
            }
        }
    }

    package func refreshTokens(accountID: AccountID) async throws -> [SealedGrant] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT * FROM identities WHERE account_id = ? AND refresh_token IS NOT NULL",
                arguments: [accountID]
            ).map { row in
                SealedGrant(
                    provider: row["provider"], issuer: row["issuer"], subject: row["subject"],
                    bytes: row.bytes("refresh_token"))
            }
        }
    }

    func use(_ once: Once?, _ database: Database) throws {
        guard let once else { return }
        try database.run(
            "INSERT INTO used_tokens (digest, expires_at) VALUES (?, ?) ON CONFLICT DO NOTHING",
            [once.digest.bytes.data, once.until.ms]
        )
        guard database.changesCount > 0 else { throw UsedBefore() }
    }

    private func isKnown(_ identity: Identity, _ database: Database) throws -> Bool {
        try Row.fetchOne(
            database, cachedSQL: "SELECT 1 FROM identities WHERE issuer = ? AND subject = ?",
            [identity.issuer, identity.subject]
        ) != nil
    }

    private func insert(_ new: NewIdentity, _ database: Database) throws {
        let identity = new.identity
        try database.run(
            """
            INSERT INTO identities (id, account_id, provider, issuer, subject, email, refresh_token, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                identity.id, identity.accountID, identity.provider, identity.issuer, identity.subject, identity.email,
                new.refreshToken?.data, identity.createdAt.ms,
            ]
        )
    }
}

extension Identity {
    init(row: Row) {
        self.init(
            id: row["id"], accountID: row["account_id"], provider: row["provider"], issuer: row["issuer"],
            subject: row["subject"], email: row["email"], createdAt: row.date("created_at"),
            lastUsedAt: row.dateIfAny("last_used_at")
        )
    }
}
