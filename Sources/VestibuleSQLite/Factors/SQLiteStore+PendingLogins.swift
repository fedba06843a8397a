package import Essentials
package import Foundation
import GRDB
import PasswordHashing
package import Vestibule

extension SQLiteStore {
    package func beginSecondStep(_ login: PendingLogin, of signIn: ProvedSignIn) async throws {
        let isDurable = signIn.rehash != nil || signIn.identity != nil
        try await transaction(isDurable: isDurable) { database in
            let isStillSo = try Row.fetchOne(
                database,
                cachedSQL: """
                    SELECT 1 FROM accounts
                    WHERE id = ?1 AND disabled_at IS NULL AND (?2 IS NULL OR password_hash = ?2)
                    """,
                [login.accountID, signIn.proved?.phc])
            guard isStillSo != nil else { throw Superseded() }
            try use(signIn.identity, of: login.accountID, at: login.startedAt, database)
            if let rehash = signIn.rehash {
                try database.run(
                    "UPDATE accounts SET password_hash = ? WHERE id = ?", [rehash.phc, login.accountID])
            }
            try giveBack(signIn.returned, database)
            if login.provedBy == .password { try notePasswordUse(of: login.accountID, at: login.startedAt, database) }
            try insert(login, database)
        }
    }

    package func pendingLogin(_ flow: TokenDigest, now: Date) async throws -> PendingLoginRecord? {
        try await read { database in
            let row = try Row.fetchOne(
                database, cachedSQL: "SELECT * FROM pending_logins WHERE flow = ? AND expires_at > ?",
                [flow.bytes.data, now.ms])
            return try row.flatMap { try record(try PendingLogin(row: $0), database) }
        }
    }

    package func tryPendingLogin(_ flow: TokenDigest, claims: [LimitClaim], now: Date) async throws -> Int? {
        try await writeRelaxed { database in
            try take(claims, now: now, database)
            let row = try Row.fetchOne(
                database,
                cachedSQL: """
                    UPDATE pending_logins SET attempts = attempts + 1
                    WHERE flow = ? AND expires_at > ? AND attempts < \(PendingLogin.attemptsAtMost)
                    RETURNING attempts
                    """,
                [flow.bytes.data, now.ms])
            return row?["attempts"]
        }
    }

    package func secondStepFailed(
        failuresKey: [UInt8], event: SecurityEvent, notice: QueuedMail?
    ) async throws {
        try await write { database in
            try note(event, failuresKey: failuresKey, hasAccount: event.accountID != nil, database)
            if let notice { try insert(notice, database) }
        }
    }

    /// Ends the flow with the session it leads to. Throws `Superseded` when it has ended, or when
    /// another password was set since the first step.
    func end(_ step: SecondStepEnd, of accountID: AccountID, at now: Date, _ database: Database) throws {
        let row = try Row.fetchOne(
            database,
            cachedSQL: """
                DELETE FROM pending_logins WHERE flow = ? AND account_id = ? AND expires_at > ?
                RETURNING proved_digest, (SELECT password_hash FROM accounts WHERE id = account_id) AS password_hash
                """,
            [step.flow.bytes.data, accountID, now.ms])
        guard let row else { throw Superseded() }
        if let proved = row["proved_digest"] as Data? {
            let hash = (row["password_hash"] as String?).map(PasswordHash.init(phc:))
            guard let hash, PendingLogin.digest(of: hash).bytes.data == proved else { throw Superseded() }
        }
        guard let trust = step.trust else { return }
        try database.run(
            "INSERT OR REPLACE INTO trusted_browsers (account_id, browser, expires_at) VALUES (?, ?, ?)",
            [accountID, trust.browser.bytes.data, trust.until.ms])
    }

    /// Those that began at a provider: their identity is removed.
    func endPendingProviderLogins(of accountID: AccountID, _ database: Database) throws {
        try database.run(
            "DELETE FROM pending_logins WHERE account_id = ? AND proved_by = ?",
            [accountID, Session.Proof.provider.rawValue])
    }

    private func insert(_ login: PendingLogin, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO pending_logins (
                flow, account_id, proved_by, proved_digest, remembered, return_to, attempts, started_at, expires_at
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                login.flow.bytes.data, login.accountID, login.provedBy.rawValue, login.provedDigest?.bytes.data,
                login.remembered, login.returnTo, login.attempts, login.startedAt.ms, login.expiresAt.ms,
            ])
    }

    /// With its account and factors; nil if the account cannot sign in.
    private func record(_ login: PendingLogin, _ database: Database) throws -> PendingLoginRecord? {
        let account = try Row.fetchOne(
            database, cachedSQL: "SELECT \(Account.columns) FROM accounts WHERE id = ? AND disabled_at IS NULL",
            [login.accountID])
        guard let account else { return nil }
        return PendingLoginRecord(
            login: login, account: Account(row: account), factors: try factors(login.accountID, database))
    }
}

extension PendingLogin {
    init(row: Row) throws {
        self.init(
            flow: TokenDigest(bytes: row.bytes("flow")), accountID: row["account_id"],
            provedBy: try Session.Proof(stored: row["proved_by"]),
            provedDigest: (row["proved_digest"] as Data?).map { TokenDigest(bytes: [UInt8]($0)) },
            remembered: row["remembered"], returnTo: row["return_to"], attempts: row["attempts"],
            startedAt: row.date("started_at"), expiresAt: row.date("expires_at"))
    }
}
