package import Essentials
package import Foundation
package import GRDB
import StoreCache
package import Vestibule

extension SQLiteStore {
    package func session(_ digest: TokenDigest) async throws -> SessionRecord? {
        if try await isCacheCurrent(), let known = cache.session(digest) { return known }
        let clock = cache.clock
        let record = try await read { try readSession(digest, $0) }
        if let record { cache.keep(record, for: digest, readAt: clock) }
        return record
    }

    package func rememberedSession(_ digest: TokenDigest) -> SessionRecord? {
        watch.isTrusted ? cache.session(digest) : nil
    }

    func readSession(_ digest: TokenDigest, _ database: Database) throws -> SessionRecord? {
        let row = try Row.fetchOne(
            database,
            cachedSQL: """
                SELECT \(Account.columns), sessions.id AS session_id, account_id, sessions.created_at AS started_at,
                    last_seen_at, idle_ms, expires_at, remembered, proved_at, proved_by, second_factor, awaits_terms,
                    awaits_factor, user_agent, address
                FROM sessions JOIN accounts ON accounts.id = account_id
                WHERE token_digest = ? AND disabled_at IS NULL
                """,
            [digest.bytes.data]
        )
        return try row.map { SessionRecord(session: try Session(row: $0), account: Account(row: $0), token: digest) }
    }

    package func touchSession(id: SessionID, at now: Date) async throws {
        try await writeRelaxed { database in
            try database.run(
                "UPDATE sessions SET last_seen_at = ?1 WHERE id = ?2 AND last_seen_at < ?1",
                [now.ms, id]
            )
        }
    }

    package func endSession(
        id: SessionID, accountID: AccountID, by session: PresentedSession?, event: SecurityEvent
    ) async throws -> Bool {
        try await write { database in
            if let session { try require(session, database) }
            try database.run("DELETE FROM sessions WHERE id = ? AND account_id = ?", [id, accountID])
            guard database.changesCount > 0 else { return false }
            try insert(event, database)
            return true
        }
    }

    package func endOtherSessions(than session: PresentedSession, event: SecurityEvent) async throws {
        try await write { database in
            try require(session, database)
            try database.run(
                "DELETE FROM sessions WHERE id <> ? AND account_id = ?", [session.id, session.accountID])
            try endApplications(of: session.id, database)
            try insert(event, database)
        }
    }

    package func renewSession(_ renewal: SessionRenewal, event: SecurityEvent) async throws {
        try await write { database in
            try renew(renewal, database)
            try insert(event, database)
        }
    }

    /// Throws `Superseded` unless the token still opens the session.
    func require(_ session: PresentedSession, _ database: Database) throws {
        let row = try Row.fetchOne(
            database, cachedSQL: "SELECT 1 FROM sessions WHERE id = ? AND account_id = ? AND token_digest = ?",
            [session.id, session.accountID, session.token.bytes.data])
        guard row != nil else { throw Superseded() }
    }

    func renew(_ renewal: SessionRenewal, _ database: Database) throws {
        try database.run(
            """
            UPDATE sessions SET token_digest = ?, proved_at = ?, proved_by = ?, second_factor = ?
            WHERE id = ? AND token_digest = ?
            """,
            [
                renewal.tokenDigest.bytes.data, renewal.provedAt.ms, renewal.provedBy.rawValue,
                renewal.secondFactor?.rawValue, renewal.sessionID, renewal.replaces.bytes.data,
            ]
        )
        guard database.changesCount > 0 else { throw Superseded() }
        try endApplications(of: renewal.sessionID, database)
    }

    /// Ends what was handed over to applications: their cookies are as old as the token before.
    private func endApplications(of id: SessionID, _ database: Database) throws {
        try database.run("DELETE FROM application_sessions WHERE session_id = ?", [id])
        try database.run("DELETE FROM handover_tickets WHERE session_id = ?", [id])
    }

    /// `hasRoom`: the account has fewer sessions than it may.
    package func start(_ new: NewSession, hasRoom: Bool = false, _ database: Database) throws {
        if let before = new.replaces {
            try database.run(
                "DELETE FROM sessions WHERE token_digest = ?", [before.bytes.data]
            )
        }
        let session = new.session
        try database.run(
            """
            INSERT INTO sessions (
                id, token_digest, account_id, created_at, last_seen_at, idle_ms, expires_at, remembered, proved_at,
                proved_by, second_factor, awaits_terms, awaits_factor, user_agent, address
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                session.id, new.tokenDigest.bytes.data, session.accountID, session.createdAt.ms,
                session.lastSeenAt.ms, Int64(session.idle.seconds * 1000), session.expiresAt.ms, session.remembered,
                session.provedAt.ms, session.provedBy.rawValue, session.secondFactor?.rawValue, session.awaitsTerms,
                session.awaitsFactor,
                session.userAgent, session.address.text,
            ]
        )
        if !hasRoom { try endOldest(besides: session, database) }
    }

    private func endOldest(besides new: Session, _ database: Database) throws {
        try database.run(
            """
            DELETE FROM sessions WHERE id IN (
                SELECT id FROM sessions WHERE account_id = ? AND id <> ?
                ORDER BY last_seen_at DESC LIMIT -1 OFFSET \(Session.mostPerAccount - 1)
            )
            """,
            [new.accountID, new.id]
        )
    }
}

extension Session {
    init(row: Row) throws {
        self.init(
            id: row["session_id"], accountID: row["account_id"], createdAt: row.date("started_at"),
            lastSeenAt: row.date("last_seen_at"), idle: .milliseconds(row["idle_ms"] as Int64),
            expiresAt: row.date("expires_at"), remembered: row["remembered"], provedAt: row.date("proved_at"),
            provedBy: try Session.Proof(stored: row["proved_by"]),
            secondFactor: try (row["second_factor"] as String?).map(SecondFactor.init(stored:)),
            awaitsTerms: row["awaits_terms"], awaitsFactor: row["awaits_factor"], userAgent: row["user_agent"],
            address: row.ipAddress("address")
        )
    }
}

extension Row {
    /// One row of a statement that is prepared once a connection.
    static func fetchOne(_ database: Database, cachedSQL sql: String, _ arguments: StatementArguments) throws -> Row? {
        try fetchOne(database.cachedStatement(sql: sql), arguments: arguments)
    }
}
