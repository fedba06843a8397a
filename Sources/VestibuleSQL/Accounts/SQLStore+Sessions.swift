package import Essentials
package import Foundation
package import Vestibule

extension SQLStore {
    package func session(_ digest: TokenDigest) async throws -> SessionRecord? {
        if try await isCacheCurrent(), let known = cache.session(digest) { return known }
        let clock = cache.clock
        let record = try await readOne { try readSession(digest, $0) }
        // Terms may be accepted on another node, and are asked for at the next request. A session
        // that waits for a factor gets a new token with it.
        if let record, !record.session.awaitsTerms { cache.keep(record, for: digest, readAt: clock) }
        return record
    }

    func readSession(_ digest: TokenDigest, _ connection: Connection) throws -> SessionRecord? {
        let row = try connection.one(
            """
            SELECT \(Account.columns), \(Session.columns)
            FROM sessions JOIN accounts ON accounts.id = account_id
            WHERE token_digest = $1 AND disabled_at IS NULL
            """,
            [digest]
        )
        return try row.map {
            SessionRecord(session: try Session(row: $0), account: try Account(row: $0), token: digest)
        }
    }

    package func rememberedSession(_ digest: TokenDigest) -> SessionRecord? {
        isCacheTrusted ? cache.session(digest) : nil
    }

    package func touch(_ id: SessionID, _ now: Date, _ connection: Connection) throws {
        try connection.later(
            "UPDATE sessions SET last_seen_at = $1 WHERE id = $2 AND last_seen_at < $1", [now.ms, id])
    }

    package func endSession(
        id: SessionID, accountID: AccountID, by session: PresentedSession?, event: SecurityEvent
    ) async throws -> Bool {
        try await write(.plain) { connection in
            try lock(accountID, connection)
            if let session { try require(session, connection) }
            return try insert(
                event, ifChanging: "DELETE FROM sessions WHERE id = $1 AND account_id = $2", [id, accountID],
                connection)
        }
    }

    package func endOtherSessions(
        than session: PresentedSession, renewal: SessionRenewal, event: SecurityEvent
    ) async throws -> Bool {
        try await write(.plain) { connection in
            try lock(session.accountID, connection)
            try require(session, connection)
            var ended = try connection.run(
                "DELETE FROM sessions WHERE id <> $1 AND account_id = $2", [session.id, session.accountID])
            ended += try endApplications(of: session.id, connection)
            // A thief with a copy of this session's cookie may have signed in to applications.
            // Access tokens last: that waits for a refresh in progress, and deletes its token, too.
            for table in ["client_sessions", "access_tokens"] {
                ended += try connection.run("DELETE FROM \(table) WHERE session_id = $1", [session.id])
            }
            // After the refresh tokens: a refresh locks its row of `client_sessions` first, then
            // the session's. The other order could deadlock.
            try renew(renewal, connection)
            if ended > 0 { try insert(event, connection) }
            return ended > 0
        }
    }

    package func renewSession(_ renewal: SessionRenewal, event: SecurityEvent) async throws {
        try await write(.plain) { connection in
            try renew(renewal, connection)
            try insert(event, connection)
        }
    }

    /// Throws `Superseded` unless the token still opens the session. Locks its row: a renewal that
    /// is under way is waited for, and one that comes later waits. A lock that several may share
    /// would keep the renewal waiting for as long as somebody writes with the old token without a
    /// pause.
    func require(_ session: PresentedSession, _ connection: Connection) throws {
        let row = try connection.one(
            "SELECT 1 FROM sessions WHERE id = $1 AND account_id = $2 AND token_digest = $3 FOR NO KEY UPDATE",
            [session.id, session.accountID, session.token])
        guard row != nil else { throw Superseded() }
        try require(absent: session.absent, of: session.accountID, connection)
    }

    /// Throws `Superseded` when the account has one of those second factors.
    func require(absent: FactorPresence, of id: AccountID, _ connection: Connection) throws {
        guard try absent.isEmpty || isOpen(id, to: nil, without: absent, connection) else { throw Superseded() }
    }

    func renew(_ renewal: SessionRenewal, _ connection: Connection) throws {
        let renewed = try connection.run(
            """
            UPDATE sessions SET token_digest = $1, proved_at = $2, proved_by = $3, second_factor = $4
            WHERE id = $5 AND token_digest = $6
            """,
            [
                renewal.tokenDigest, renewal.proof.at.ms, renewal.proof.by.rawValue,
                renewal.proof.secondFactor?.rawValue, renewal.sessionID, renewal.replaces,
            ]
        )
        guard renewed > 0 else { throw Superseded() }
        try endBegun(in: renewal.sessionID, but: renewal.heldForm, connection)
    }

    /// Ends what was begun with the token before, which a thief may have: held forms, and what was
    /// handed over to applications.
    private func endBegun(in id: SessionID, but heldForm: TokenDigest?, _ connection: Connection) throws {
        try connection.later(
            "DELETE FROM held_forms WHERE session_id = $1 AND digest IS DISTINCT FROM $2", [id, heldForm])
        try endApplications(of: id, connection)
    }

    /// Ends what was handed over to applications: their cookies are as old as the token before.
    /// Returns how many were entered so.
    @discardableResult
    private func endApplications(of id: SessionID, _ connection: Connection) throws -> Int {
        // Tickets first: one that is being redeemed is waited for, and what it starts is seen next.
        try connection.later("DELETE FROM handover_tickets WHERE session_id = $1", [id])
        try connection.later("DELETE FROM client_codes WHERE session_id = $1 AND spent_at IS NULL", [id])
        return try connection.run("DELETE FROM application_sessions WHERE session_id = $1", [id])
    }

    /// Returns false when the browser's session of the same account goes on, under its id.
    @discardableResult
    func start(_ new: NewSession, _ connection: Connection) throws -> Bool {
        if let before = new.replaces {
            try endTokens(ofSessionWith: before, connection)
            if let id = try renew(before, as: new, connection) {
                try endBegun(in: id, but: nil, connection)
                return false
            }
            try connection.later("DELETE FROM sessions WHERE token_digest = $1", [before])
        }
        try connection.insert(into: "sessions", NewSession.columns, new.parameters)
        return true
    }

    /// Ends the tokens of OpenID clients: a thief with a copy of the session's token may have got
    /// some. The rows that say which clients were entered stay, so that these are told when the
    /// session ends. Comes before any change of the session: a refresh has locked its row of
    /// `client_sessions`, and waits for one that changes the session's token.
    private func endTokens(ofSessionWith token: TokenDigest, _ connection: Connection) throws {
        let session = "session_id = (SELECT id FROM sessions WHERE token_digest = $1 FOR NO KEY UPDATE)"
        try connection.later("UPDATE client_sessions SET family = NULL, refresh = NULL WHERE \(session)", [token])
        try connection.later("DELETE FROM access_tokens WHERE \(session)", [token])
    }

    /// Makes a living session of the same account the new one in all but its id: applications know
    /// it by that, and would sign out somebody who signs in again in a second tab. Returns the id;
    /// nil if there is no such session.
    private func renew(_ before: TokenDigest, as new: NewSession, _ connection: Connection) throws -> SessionID? {
        guard let record = try readSession(before, connection), record.accountID == new.accountID,
            record.session.isAlive(at: new.session.lifetime.createdAt)
        else { return nil }
        let values = new.parameters.dropFirst(NewSession.lasting)
        let places = (1...values.count).map { "$\($0)" }.joined(separator: ", ")
        let renewed = try connection.run(
            """
            UPDATE sessions SET (\(NewSession.renewed)) = (\(places))
            WHERE id = $\(values.count + 1) AND token_digest = $\(values.count + 2)
            """,
            values + [record.session.id, before])
        return renewed > 0 ? record.session.id : nil
    }
}

extension NewSession {
    package static let columns = "id, account_id, \(renewed)"

    /// `columns` without the first ones, as many as `lasting`, which stay when a session goes on.
    fileprivate static let renewed = """
        token_digest, created_at, last_seen_at, idle_ms, expires_at, remembered, proved_at, proved_by, second_factor,
        awaits_terms, awaits_factor, user_agent, address
        """
    fileprivate static let lasting = 2

    /// The values of `columns`, in their order.
    package var parameters: [any SQLParameter] {
        let (lifetime, proof) = (session.lifetime, session.proof)
        return [
            session.id, session.accountID, tokenDigest, lifetime.createdAt.ms, lifetime.lastSeenAt.ms,
            Int64(lifetime.idle.seconds * 1000), lifetime.expiresAt.ms, lifetime.remembered, proof.at.ms,
            proof.by.rawValue, proof.secondFactor?.rawValue, session.awaitsTerms, session.awaitsFactor,
            session.userAgent, session.address.text,
        ]
    }
}

extension Session {
    /// What `init(row:)` reads, of the table `sessions`.
    static let columns = """
        sessions.id AS session_id, sessions.account_id, sessions.created_at AS started_at, sessions.last_seen_at,
        sessions.idle_ms, sessions.expires_at, sessions.remembered, sessions.proved_at, sessions.proved_by,
        sessions.second_factor, sessions.awaits_terms, sessions.awaits_factor, sessions.user_agent, sessions.address
        """

    /// Reads a row of `columns`.
    init(row: some SQLRow) throws {
        self.init(
            id: try row["session_id"], accountID: try row["account_id"],
            lifetime: Lifetime(
                createdAt: try row.date("started_at"), lastSeenAt: try row.date("last_seen_at"),
                idle: .milliseconds(try row["idle_ms"] as Int64), expiresAt: try row.date("expires_at"),
                remembered: try row["remembered"]),
            proof: Proof(
                at: try row.date("proved_at"), by: try FirstFactor(stored: try row["proved_by"]),
                secondFactor: try (try row["second_factor"] as String?).map(SecondFactor.init(stored:))),
            awaitsTerms: try row["awaits_terms"], awaitsFactor: try row["awaits_factor"],
            userAgent: try row["user_agent"], address: try row.ipAddress("address")
        )
    }
}
