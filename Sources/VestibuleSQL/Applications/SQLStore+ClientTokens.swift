package import Essentials
package import Foundation
package import Vestibule

extension SQLStore {
    package func rotate(_ rotation: RefreshRotation) async throws -> TokenExchange {
        do {
            return try await write { try rotate(rotation, $0) }
        } catch is NotAdmitted {
            return .refused
        }
    }

    private func rotate(_ rotation: RefreshRotation, _ connection: Connection) throws -> TokenExchange {
        let name = rotation.application.name
        let rotated = try connection.one(
            """
            UPDATE client_sessions SET refresh = $1 WHERE family = $2 AND refresh = $3 AND application = $4
            RETURNING session_id, scopes, entered_at
            """,
            [rotation.given.refresh, rotation.family, rotation.token, name])
        guard let rotated else { return try endReplayed(rotation, connection) }
        let grant = try grant(try rotated["session_id"], name, try rotated["scopes"], connection)
        guard var grant,
            rotation.application.admits(grant, at: rotation.now, requiresFactor: rotation.requiresFactor)
        else { throw NotAdmitted() }
        grant.enteredAt = try rotated.date("entered_at")
        try insert(rotation.given, grant, connection)
        return .granted(grant)
    }

    /// Ends a family of which an older token came: somebody else has one of the two.
    private func endReplayed(_ rotation: RefreshRotation, _ connection: Connection) throws -> TokenExchange {
        let row = try connection.one(
            "SELECT session_id, account_id FROM client_sessions WHERE family = $1 AND application = $2",
            [rotation.family, rotation.application.name])
        guard let row else { return .refused }
        try endTokens(of: try row["session_id"], in: rotation.application.name, connection)
        let accountID: AccountID = try row["account_id"]
        try noteReplay(rotation.replayed, of: accountID, connection)
        return .replayed(rotation.replayed.of(accountID))
    }

    package func accessGrant(_ digest: TokenDigest, at now: Date) async throws -> TokenGrant? {
        try await selectOne(
            """
            SELECT \(Account.columns), \(Session.columns), sessions.token_digest, application, scopes,
                \(Self.consented("access_tokens.application"))
            FROM access_tokens JOIN sessions ON sessions.id = access_tokens.session_id
                JOIN accounts ON accounts.id = sessions.account_id
            WHERE access_tokens.digest = $1 AND access_tokens.expires_at > $2
                AND access_tokens.expires_at <= $3 AND disabled_at IS NULL
            """,
            [digest, now.ms, NewTokens.latestExpiry(at: now).ms]
        ) { try TokenGrant(application: $0["application"], scopes: $0["scopes"], row: $0) }
    }

    /// What the owner of the account lets the application see, beside the columns of a session.
    private static func consented(_ application: String) -> String {
        """
        (SELECT scopes FROM application_consents WHERE account_id = accounts.id AND application = \(application))
        AS consented
        """
    }

    package func revokeToken(access: TokenDigest?, family: TokenDigest?, of application: String) async throws {
        try await write(.plain) { connection in
            try connection.later(
                "DELETE FROM access_tokens WHERE digest = $1 AND application = $2", [access, application])
            let row = try connection.one(
                "SELECT session_id FROM client_sessions WHERE family = $1 AND application = $2", [family, application])
            if let row { try endTokens(of: try row["session_id"], in: application, connection) }
        }
    }

    /// What a client may see of a session that goes on.
    func grant(
        _ id: SessionID, _ application: String, _ scopes: String, _ connection: Connection
    ) throws -> TokenGrant? {
        try connection.one(
            """
            SELECT \(Account.columns), \(Session.columns), sessions.token_digest, \(Self.consented("$2"))
            FROM sessions JOIN accounts ON accounts.id = account_id WHERE sessions.id = $1 AND disabled_at IS NULL
            """, [id, application]
        ).map { try TokenGrant(application: application, scopes: scopes, row: $0) }
    }

    func insert(_ given: NewTokens, _ grant: TokenGrant, _ connection: Connection) throws {
        // Counted first, as the list costs more, and of fewer it leaves none out.
        try connection.later(
            """
            DELETE FROM access_tokens WHERE session_id = $1 AND application = $2
            AND (SELECT count(*) FROM access_tokens WHERE session_id = $1 AND application = $2)
                >= \(NewTokens.mostPerSession)
            AND digest NOT IN (
                SELECT digest FROM access_tokens WHERE session_id = $1 AND application = $2
                ORDER BY expires_at DESC LIMIT \(NewTokens.mostPerSession - 1)
            )
            """, [grant.record.session.id, grant.application])
        try connection.insert(
            into: "access_tokens", "digest, session_id, application, scopes, expires_at",
            [given.access, grant.record.session.id, grant.application, grant.scopes, given.accessExpiresAt.ms])
    }

    /// Ends all tokens that a client has of a session. Access tokens last: that waits for a refresh
    /// in progress, and deletes its token, too.
    func endTokens(of id: SessionID, in application: String, _ connection: Connection) throws {
        try connection.later(
            """
            UPDATE client_sessions SET family = NULL, refresh = NULL WHERE session_id = $1 AND application = $2
            """, [id, application])
        try connection.later(
            "DELETE FROM access_tokens WHERE session_id = $1 AND application = $2", [id, application])
    }

    /// Ends the refresh tokens of an account, as what opens it has changed.
    func endRefreshTokens(of accountID: AccountID, _ connection: Connection) throws {
        try connection.later(
            "UPDATE client_sessions SET family = NULL, refresh = NULL WHERE account_id = $1", [accountID])
    }
}

extension TokenGrant {
    /// Reads a row of the columns of account and session, the session's `token_digest`, and
    /// `consented`.
    fileprivate init(application: String, scopes: String, row: some SQLRow) throws {
        let record = SessionRecord(
            session: try Session(row: row), account: try Account(row: row),
            token: TokenDigest(bytes: try row.bytes("token_digest")))
        self.init(application: application, scopes: scopes, record: record, consented: try row["consented"])
    }
}

/// Undoes a rotation: a token that is refused is not used up. Sent again, it would be taken for a
/// thief's.
private struct NotAdmitted: Error {}
