package import Essentials
import Foundation
package import Vestibule

extension SQLStore {
    package func use(_ once: Once) async throws -> Bool {
        do {
            try await write(.plain) { try use(once, $0) }
            return true
        } catch is UsedBefore {
            return false
        }
    }

    package func identity(issuer: String, subject: String) async throws -> IdentityRecord? {
        try await read { connection in
            let row = try connection.one(
                "SELECT \(Identity.columns) FROM identities WHERE issuer = $1 AND subject = $2", [issuer, subject])
            guard let identity = try row.map(Identity.init(row:)) else { return nil }
            return try account(identity.accountID, connection).map { IdentityRecord(identity: identity, account: $0) }
        }
    }

    /// Notes that the identity vouched for the account. Throws `UsedBefore`, and `Superseded` when
    /// the account has it no more.
    func use(_ identity: IdentityUse?, of accountID: AccountID, at now: Date, _ connection: Connection) throws {
        guard let identity else { return }
        try use(identity.once, connection)
        let known = try connection.run(
            """
            UPDATE identities SET refresh_token = coalesce($1, refresh_token), last_used_at = greatest(created_at, $2),
                provider = $3
            WHERE id = $4 AND account_id = $5
            """,
            [identity.refreshToken, now.ms, identity.provider, identity.id, accountID])
        guard known > 0 else { throw Superseded() }
    }

    package func addAccount(
        _ new: NewAccount, identity: LinkedIdentity, once: Once?
    ) async throws -> IdentitySignup {
        try await write { connection in
            guard try !isKnown(identity.identity, connection) else { return .identityTaken }
            guard try !isTaken(new.account.email.key, connection) else { return .emailTaken }
            try use(once, connection)
            try insert(new, connection)
            try insert(identity, connection)
            return .created
        }
    }

    package func link(
        _ new: LinkedIdentity, by session: PresentedSession, once: Once?, _ change: FactorChange
    ) async throws -> Bool {
        try await write { connection in
            try require(session, connection)
            try use(once, connection)
            guard try !isKnown(new.identity, connection) else { return false }
            try insert(new, connection)
            try noteIdentities(change, connection)
            return true
        }
    }

    package func linkedIdentities(emailKey: String) async throws -> [LinkedIdentity] {
        try await linkedIdentities("(SELECT id FROM accounts WHERE email_key = $1)", emailKey)
    }

    package func linkedIdentities(accountID: AccountID) async throws -> [LinkedIdentity] {
        try await linkedIdentities("$1", accountID)
    }

    private func linkedIdentities(
        _ accountID: String, _ parameter: any SQLParameter
    ) async throws -> [LinkedIdentity] {
        try await select(
            """
            SELECT \(Identity.columns), refresh_token FROM identities WHERE account_id = \(accountID)
            ORDER BY created_at
            """,
            [parameter], LinkedIdentity.init(row:))
    }

    package func keepRefreshToken(_ sealed: [UInt8], issuer: String, subject: String) async throws -> Bool {
        try await change(
            .plain, "UPDATE identities SET refresh_token = $1 WHERE issuer = $2 AND subject = $3",
            [sealed, issuer, subject]) > 0
    }

    func use(_ once: Once?, _ connection: Connection) throws {
        guard let once else { return }
        let used = try connection.run(
            "INSERT INTO used_tokens (digest, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING",
            [once.digest, once.until.ms]
        )
        guard used > 0 else { throw UsedBefore() }
    }

    /// Writes what goes with every change of identities that a session makes.
    func noteIdentities(_ change: FactorChange, _ connection: Connection) throws {
        if let renewal = change.renewal { try renew(renewal, connection) }
        try insert(change.notice, connection)
        try insert(change.event, connection)
    }

    private func isKnown(_ identity: Identity, _ connection: Connection) throws -> Bool {
        try connection.one(
            "SELECT 1 FROM identities WHERE issuer = $1 AND subject = $2", [identity.issuer, identity.subject]) != nil
    }

    private func insert(_ new: LinkedIdentity, _ connection: Connection) throws {
        let identity = new.identity
        try connection.insert(
            into: "identities", "id, account_id, provider, issuer, subject, email, refresh_token, created_at",
            [
                identity.id, identity.accountID, identity.provider, identity.issuer, identity.subject, identity.email,
                new.refreshToken, identity.createdAt.ms,
            ])
    }
}

extension Identity {
    /// What `init(row:)` reads.
    static let columns = "id, account_id, provider, issuer, subject, email, created_at, last_used_at"

    /// Reads a row of `columns`.
    init(row: some SQLRow) throws {
        self.init(
            id: try row["id"], accountID: try row["account_id"], provider: try row["provider"],
            issuer: try row["issuer"], subject: try row["subject"], email: try row["email"],
            createdAt: try row.date("created_at"), lastUsedAt: try row.dateIfAny("last_used_at"))
    }
}

extension LinkedIdentity {
    /// Reads a row of `Identity.columns` and the refresh token.
    init(row: some SQLRow) throws {
        self.init(identity: try Identity(row: row), refreshToken: try row["refresh_token"])
    }
}
