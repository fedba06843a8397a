package import Essentials
import Foundation
package import Vestibule

extension SQLStore {
    /// Need not survive: its page is asked for again.
    package func addTicket(_ ticket: NewTicket) async throws {
        let session = ticket.session
        try await write(.relaxed) { connection in
            try require(session, connection)
            try connection.run(
                """
                DELETE FROM handover_tickets WHERE session_id = $1 AND digest NOT IN (
                    SELECT digest FROM handover_tickets WHERE session_id = $1
                    ORDER BY expires_at DESC LIMIT \(NewTicket.mostPerSession - 1)
                )
                """, [session.id])
            try connection.insert(
                into: "handover_tickets",
                "digest, session_id, account_id, session_token, origin, browser, target, is_retry, expires_at",
                [
                    ticket.digest, session.id, session.accountID, session.token, ticket.wish.origin.text,
                    ticket.wish.browser, ticket.wish.target.text, ticket.wish.isRetry, ticket.expiresAt.ms,
                ])
        }
    }

    package func ticketSession(_ ticket: TokenDigest) async throws -> TokenDigest? {
        try await selectOne("SELECT session_token FROM handover_tickets WHERE digest = $1", [ticket]) { row in
            TokenDigest(bytes: try row["session_token"] as [UInt8]? ?? [])
        }
    }

    package func redeem(_ redemption: TicketRedemption) async throws -> RedeemedTicket? {
        try await write(Self.hasStandby ? .serializable : .relaxed) { connection in
            try connection.one(
                """
                DELETE FROM handover_tickets WHERE digest = $1
                RETURNING session_id, session_token, origin, browser, target, is_retry, expires_at
                """, [redemption.digest]
            ).map { row in
                RedeemedTicket(
                    outcome: try outcome(of: row, redemption, connection), target: try row["target"],
                    isRetry: try row["is_retry"])
            }
        }
    }

    private func outcome(
        of ticket: Connection.Row, _ redemption: TicketRedemption, _ connection: Connection
    ) throws -> RedeemedTicket.Outcome {
        let origin: String = try ticket["origin"]
        guard try origin == redemption.origin.text && redemption.now < ticket.date("expires_at") else { return .spent }
        guard let browser = redemption.browser, try ticket.bytes("browser") == browser.bytes else {
            return .otherBrowser
        }
        let session = try connection.one(
            """
            SELECT \(Session.columns) FROM sessions JOIN accounts ON accounts.id = account_id
            WHERE sessions.id = $1 AND token_digest = $2 AND disabled_at IS NULL AND NOT awaits_terms
                AND NOT (awaits_factor AND $3)
            """,
            [
                try ticket["session_id"] as SessionID, try ticket["session_token"] as [UInt8]?,
                redemption.requiresFactor,
            ]
        ).map(Session.init(row:))
        guard let session, session.isAlive(at: redemption.now) else { return .spent }
        // Two tickets of one browser make the same token at once: the one that waits for the other
        // meets it at either of two unique keys, and an `ON CONFLICT` that updates names one.
        let entered = try connection.run(
            """
            INSERT INTO application_sessions (token_digest, session_id, account_id, origin, entered_at)
            VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING
            """,
            [redemption.token, session.id, session.accountID, origin, redemption.now.ms])
        if entered == 0 {
            try connection.run(
                """
                UPDATE application_sessions SET token_digest = $1, entered_at = $2
                WHERE session_id = $3 AND origin = $4
                """,
                [redemption.token, redemption.now.ms, session.id, origin])
        }
        return .entered(session)
    }

    package func applicationSession(_ digest: TokenDigest) async throws -> ApplicationSession? {
        if try await isCacheCurrent(), let known = cache.applicationSession(digest) { return known }
        let clock = cache.clock
        let session = try await selectOne(
            """
            SELECT \(Account.columns), \(Session.columns), origin
            FROM application_sessions JOIN sessions ON sessions.id = session_id
                JOIN accounts ON accounts.id = sessions.account_id
            WHERE application_sessions.token_digest = $1 AND disabled_at IS NULL
            """,
            [digest]
        ) { row in
            ApplicationSession(
                record: SessionRecord(
                    session: try Session(row: row), account: try Account(row: row), token: digest),
                origin: try row["origin"])
        }
        if let session { cache.keep(session, for: digest, readAt: clock) }
        return session
    }

    package func rememberedApplicationSession(_ digest: TokenDigest) -> ApplicationSession? {
        isCacheTrusted ? cache.applicationSession(digest) : nil
    }

    /// The origins that sessions of the account have entered, by the session's id.
    func enteredOrigins(
        _ accountID: AccountID, _ connection: Connection
    ) throws -> [SessionID: [EnteredApplication]] {
        try entered(
            "SELECT session_id, origin, entered_at FROM application_sessions WHERE account_id = $1", accountID,
            limit: Self.applicationsShown, connection)
    }

    /// The same, and the OpenID Connect clients that they have entered. The read cache does not
    /// hear of these.
    func enteredApplications(
        _ accountID: AccountID, _ connection: Connection
    ) throws -> [SessionID: [EnteredApplication]] {
        try entered(
            """
            SELECT session_id, origin, entered_at FROM application_sessions WHERE account_id = $1
            UNION SELECT session_id, application, entered_at FROM client_sessions WHERE account_id = $1
            """, accountID, limit: .max, connection)
    }

    /// At most so many are read for the account page.
    private static var applicationsShown: Int { 1000 }

    private func entered(
        _ select: String, _ accountID: AccountID, limit: Int, _ connection: Connection
    ) throws -> [SessionID: [EnteredApplication]] {
        try connection.all("\(select) ORDER BY origin LIMIT $2", [accountID, limit]).reduce(into: [:]) { all, row in
            all[try row["session_id"] as SessionID, default: []].append(
                EnteredApplication(name: try row["origin"], at: try row.date("entered_at")))
        }
    }
}
