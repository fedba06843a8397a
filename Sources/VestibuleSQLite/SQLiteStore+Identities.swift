package import Foundation
import GRDB
package import Vestibule

extension SQLiteStore {
    package func useOnce(_ digest: TokenDigest, until: Date) async throws -> Bool {
        try await write { database in
            try database.run(
                "INSERT INTO used_tokens (digest, expires_at) VALUES (?, ?) ON CONFLICT DO NOTHING",
                [digest.bytes.data, until.ms]
            )
            return database.changesCount > 0
        }
    }

    package func identity(issuer: String, subject: String) async throws -> IdentityRecord? {
        try await read { database in
            let row = try Row.fetchOne(
                database, cachedSQL: "SELECT * FROM identities WHERE issuer = ? AND subject = ?", [issuer, subject])
            guard let identity = row.map(Identity.init(row:)) else { return nil }
            let account = try Row.fetchOne(
                database, cachedSQL: "SELECT * FROM accounts WHERE id = ?", [identity.accountID])
            return account.map { IdentityRecord(identity: identity, account: Account(row: $0)) }
        }
    }

    package func signIn(identityID: String, refreshToken: [UInt8]?, _ success: LoginSuccess) async throws {
        try await write { database in
            if let refreshToken {
                try database.run(
                    "UPDATE identities SET refresh_token = ? WHERE id = ?", [refreshToken.data, identityID])
            }
            try succeed(success, database)
        }
    }

    package func addAccount(_ new: NewAccount, identity: NewIdentity) async throws -> IdentitySignup {
        try await write { database in
            guard try !isKnown(identity.identity, database) else { return .identityTaken }
            guard try !isTaken(new.emailKey, database) else { return .emailTaken }
            try insert(new, database)
            try insert(identity, database)
            return .created
        }
    }

    package func link(_ new: NewIdentity, notice: QueuedMail, event: SecurityEvent) async throws -> Bool {
        try await write { database in
            guard try !isKnown(new.identity, database) else { return false }
            try insert(new, database)
            try insert(notice, database)
            try insert(event, database)
            return true
        }
    }

    package func unlink(
        id: String, accountID: String, notice: QueuedMail, event: SecurityEvent
    ) async throws -> IdentityRemoval {
        try await write { database in
            let row = try Row.fetchOne(
                database, cachedSQL: "SELECT * FROM identities WHERE id = ? AND account_id = ?", [id, accountID])
            guard let row else { return .unknown }
            let others = try Bool.fetchOne(
                database,
                sql: """
                    SELECT password_hash IS NOT NULL
                        OR EXISTS (SELECT 1 FROM identities WHERE account_id = ?1 AND id <> ?2)
                    FROM accounts WHERE id = ?1
                    """,
                arguments: [accountID, id]
            )
            guard others ?? false else { return .lastWay }
            try database.run("DELETE FROM identities WHERE id = ?", [id])
            try insert(notice, database)
            try insert(event, database)
            return .removed(Identity(row: row), refreshToken: (row["refresh_token"] as Data?).map { [UInt8]($0) })
        }
    }

    package func revokeIdentity(id: String, notice: QueuedMail, event: SecurityEvent) async throws {
        try await write { database in
            let row = try Row.fetchOne(
                database, cachedSQL: "DELETE FROM identities WHERE id = ? RETURNING account_id", [id])
            guard let accountID = row?["account_id"] as String? else { return }
            try database.run("DELETE FROM sessions WHERE account_id = ?", [accountID])
            try insert(notice, database)
            try insert(event, database)
        }
    }

    package func note(_ event: SecurityEvent) async throws {
        try await write { try insert(event, $0) }
    }

    package func refreshTokens(accountID: String) async throws -> [(provider: String, sealed: [UInt8])] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql:
                    "SELECT provider, refresh_token FROM identities WHERE account_id = ? AND refresh_token IS NOT NULL",
                arguments: [accountID]
            ).map { ($0["provider"], $0.bytes("refresh_token")) }
        }
    }

    func identities(_ accountID: String, _ database: Database) throws -> [Identity] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT * FROM identities WHERE account_id = ? ORDER BY created_at LIMIT 100"),
            arguments: [accountID]
        ).map(Identity.init(row:))
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
            subject: row["subject"], email: row["email"], createdAt: row.date("created_at")
        )
    }
}
