package import Essentials
import Foundation
import GRDB
import StoreCache
package import Vestibule

extension SQLiteStore {
    package func addTicket(_ ticket: NewTicket) async throws {
        let session = ticket.session
        try await writeRelaxed { database in
            try require(session, database)
            try database.run(
                """
                DELETE FROM handover_tickets WHERE digest IN (
                    SELECT digest FROM handover_tickets WHERE session_id = ?
                    ORDER BY expires_at DESC LIMIT -1 OFFSET \(NewTicket.mostPerSession - 1)
                )
                """, [session.id])
            try database.run(
                """
                INSERT INTO handover_tickets (
                    digest, session_id, account_id, session_token, origin, browser, target, is_retry, expires_at
                ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    ticket.digest.bytes.data, session.id, session.accountID, session.token.bytes.data,
                    ticket.wish.origin.text, ticket.wish.browser.bytes.data, ticket.wish.target.text,
                    ticket.wish.isRetry, ticket.expiresAt.ms,
                ])
        }
    }

    package func redeem(_ redemption: TicketRedemption) async throws -> RedeemedTicket? {
        try await writeRelaxed { database in
            let row = try Row.fetchOne(
                database, cachedSQL: "DELETE FROM handover_tickets WHERE digest = ? RETURNING *",
                [redemption.digest.bytes.data])
            guard let row else { return nil }
            return RedeemedTicket(
                outcome: try outcome(of: row, redemption, database), target: row["target"], isRetry: row["is_retry"])
        }
    }

    private func outcome(
        of ticket: Row, _ redemption: TicketRedemption, _ database: Database
    ) throws -> RedeemedTicket.Outcome {
        let origin: String = ticket["origin"]
        guard origin == redemption.origin.text, redemption.now < ticket.date("expires_at") else { return .spent }
        guard let browser = redemption.browser, ticket.bytes("browser") == browser.bytes else { return .otherBrowser }
        let session = try Row.fetchOne(
            database,
            cachedSQL: """
                SELECT sessions.*, sessions.id AS session_id, sessions.created_at AS started_at
                FROM sessions JOIN accounts ON accounts.id = account_id
                WHERE sessions.id = ? AND token_digest = ? AND disabled_at IS NULL AND NOT awaits_terms
                    AND NOT awaits_factor
                """, [ticket["session_id"] as SessionID, ticket["session_token"] as Data?]
        ).map(Session.init(row:))
        guard let session, session.isAlive(at: redemption.now) else { return .spent }
        try database.run(
            """
            INSERT INTO application_sessions (token_digest, session_id, account_id, origin, entered_at)
            VALUES (?, ?, ?, ?, ?) ON CONFLICT (session_id, origin)
            DO UPDATE SET token_digest = excluded.token_digest, entered_at = excluded.entered_at
            """,
            [redemption.token.bytes.data, session.id, session.accountID, origin, redemption.now.ms])
        return .entered(session)
    }

    package func applicationSession(_ digest: TokenDigest) async throws -> ApplicationSession? {
        if try await isCacheCurrent(), let known = cache.applicationSession(digest) { return known }
        let clock = cache.clock
        let session = try await read { try readApplicationSession(digest, $0) }
        if let session { cache.keep(session, for: digest, readAt: clock) }
        return session
    }

    package func rememberedApplicationSession(_ digest: TokenDigest) -> ApplicationSession? {
        watch.isTrusted ? cache.applicationSession(digest) : nil
    }

    private func readApplicationSession(_ digest: TokenDigest, _ database: Database) throws -> ApplicationSession? {
        let row = try Row.fetchOne(
            database,
            cachedSQL: """
                SELECT \(Account.columns), sessions.id AS session_id, sessions.account_id, sessions.created_at AS started_at,
                    last_seen_at, idle_ms, expires_at, remembered, proved_at, proved_by, second_factor,
                    awaits_terms, awaits_factor, user_agent, address, origin
                FROM application_sessions JOIN sessions ON sessions.id = session_id
                    JOIN accounts ON accounts.id = sessions.account_id
                WHERE application_sessions.token_digest = ? AND disabled_at IS NULL
                """,
            [digest.bytes.data]
        )
        return try row.map {
            ApplicationSession(
                record: SessionRecord(session: try Session(row: $0), account: Account(row: $0), token: digest),
                origin: $0["origin"])
        }
    }

    /// Texts of the origins that sessions of the account have entered, by the session's id.
    func enteredOrigins(_ accountID: AccountID, _ database: Database) throws -> [SessionID: [String]] {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql:
                    "SELECT session_id, origin FROM application_sessions WHERE account_id = ? ORDER BY origin LIMIT 1000"
            ), arguments: [accountID])
        return rows.reduce(into: [:]) { all, row in
            all[row["session_id"] as SessionID, default: []].append(row["origin"])
        }
    }
}
