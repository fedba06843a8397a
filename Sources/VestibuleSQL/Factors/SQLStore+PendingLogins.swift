package import Essentials
package import Foundation
import PasswordHashing
package import Vestibule

extension SQLStore {
    package func beginSecondStep(_ login: PendingLogin, of signIn: ProvedSignIn) async throws {
        let (accountID, now) = (login.accountID, login.startedAt)
        let isDurable = Self.hasStandby || signIn.rehash != nil || signIn.identity != nil || signIn.use != nil
        try await write(isDurable ? .serializable : .relaxed) { connection in
            guard try isOpen(accountID, to: signIn.proved, below: signIn.limitedBy, connection) else {
                throw Superseded()
            }
            try use(signIn.identity, of: accountID, at: now, connection)
            if let use = signIn.use { try apply(use, accountID, at: now, isSecondFactor: false, connection) }
            if let rehash = signIn.rehash {
                try connection.later("UPDATE accounts SET password_hash = $1 WHERE id = $2", [rehash.phc, accountID])
            }
            try giveBack(signIn.returned, connection)
            if login.provedBy == .password { try notePasswordUse(of: accountID, at: now, connection) }
            try insert(login, connection)
            try signIn.events.forEach { try insert($0, connection) }
        }
    }

    /// Those that began so: what proved them is removed.
    func endPendingLogins(of accountID: AccountID, by proof: FirstFactor, _ connection: Connection) throws {
        try connection.later(
            "DELETE FROM pending_logins WHERE account_id = $1 AND proved_by = $2", [accountID, proof.rawValue])
    }

    package func pendingLogin(_ flow: TokenDigest, now: Date) async throws -> PendingLoginRecord? {
        try await read { connection in
            let row = try connection.one(
                "SELECT \(PendingLogin.columns) FROM pending_logins WHERE flow = $1 AND expires_at > $2",
                [flow, now.ms])
            guard let login = try row.map(PendingLogin.init(row:)) else { return nil }
            let account = try connection.one(
                "SELECT \(Account.columns) FROM accounts WHERE id = $1 AND disabled_at IS NULL", [login.accountID])
            return try account.map {
                PendingLoginRecord(
                    login: login, account: try Account(row: $0), factors: try factors(login.accountID, connection))
            }
        }
    }

    package func tryPendingLogin(_ flow: TokenDigest, claims: [LimitClaim], now: Date) async throws -> Int? {
        try await write(Self.hasStandby ? .plain : .relaxed) { connection in
            try take(claims, now: now, connection)
            let row = try connection.one(
                """
                UPDATE pending_logins SET attempts = attempts + 1
                WHERE flow = $1 AND expires_at > $2 AND attempts < \(PendingLogin.attemptsAtMost)
                RETURNING attempts
                """,
                [flow, now.ms])
            return try row?["attempts"]
        }
    }

    package func secondStepFailed(
        failuresKey: [UInt8], event: SecurityEvent, notice: QueuedMail, claims: [LimitClaim]
    ) async throws -> Bool {
        try await write(.plain) { connection in
            try note(event, failuresKey: failuresKey, hasAccount: event.accountID != nil, connection)
            let row = try connection.one(
                """
                INSERT INTO login_failures AS kept (key, count, last_at) VALUES ($1, 1, $2)
                ON CONFLICT (key) DO UPDATE SET count = kept.count + 1, last_at = excluded.last_at RETURNING count
                """,
                [event.accountID.map(FailureCount.factorKey), event.at.ms])
            let count: Int = try row?["count"] ?? 0
            guard count.isMultiple(of: FailureCount.factorFailuresTold) else { return false }
            do { try take(claims, now: event.at, connection) } catch is LimitRefusal { return false }
            try insert(notice, connection)
            return true
        }
    }

    /// Ends the flow with the session it leads to, and deletes the event that says that it waits.
    /// Throws `Superseded` when it has ended, or when another password was set since the first
    /// step.
    func end(
        _ step: SecondStepEnd, with session: Session, _ connection: Connection
    ) throws {
        let row = try connection.one(
            """
            DELETE FROM pending_logins WHERE flow = $1 AND account_id = $2 AND expires_at > $3
            RETURNING proved_digest, (SELECT password_hash FROM accounts WHERE id = account_id) AS password_hash
            """,
            [step.flow, session.accountID, session.lifetime.createdAt.ms])
        guard let row else { throw Superseded() }
        if let proved = try row["proved_digest"] as [UInt8]? {
            let hash = (try row["password_hash"] as String?).map(PasswordHash.init(phc:))
            guard let hash, PendingLogin.digest(of: hash).bytes == proved else { throw Superseded() }
        }
        try connection.later("DELETE FROM security_events WHERE id = $1", [PendingLogin.eventID(of: step.flow)])
        guard let trust = step.trust else { return }
        try connection.later(
            """
            INSERT INTO trusted_browsers (account_id, browser, user_agent, expires_at) VALUES ($1, $2, $3, $4)
            ON CONFLICT (account_id, browser) DO UPDATE
                SET user_agent = excluded.user_agent, expires_at = excluded.expires_at
            """,
            [session.accountID, trust.browser, session.userAgent, trust.until.ms])
        try connection.later(
            """
            DELETE FROM trusted_browsers WHERE account_id = $1 AND browser NOT IN (
                SELECT browser FROM trusted_browsers WHERE account_id = $1
                ORDER BY expires_at DESC, browser LIMIT \(TrustedBrowser.mostPerAccount)
            )
            """,
            [session.accountID])
    }

    private func insert(_ login: PendingLogin, _ connection: Connection) throws {
        try connection.insert(
            into: "pending_logins", PendingLogin.columns,
            [
                login.flow, login.accountID, login.provedBy.rawValue, login.provedDigest, login.remembered,
                login.returnTo, login.attempts, login.startedAt.ms, login.expiresAt.ms,
            ])
    }
}

extension PendingLogin {
    /// What `init(row:)` reads.
    static let columns = """
        flow, account_id, proved_by, proved_digest, remembered, return_to, attempts, started_at, expires_at
        """

    /// Reads a row of `columns`.
    init(row: some SQLRow) throws {
        self.init(
            flow: TokenDigest(bytes: try row.bytes("flow")), accountID: try row["account_id"],
            provedBy: try FirstFactor(stored: try row["proved_by"]),
            provedDigest: (try row["proved_digest"] as [UInt8]?).map(TokenDigest.init(bytes:)),
            remembered: try row["remembered"], returnTo: try row["return_to"],
            startedAt: try row.date("started_at"), expiresAt: try row.date("expires_at"))
        attempts = try row["attempts"]
    }
}
