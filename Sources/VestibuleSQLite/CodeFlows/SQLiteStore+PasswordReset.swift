package import Essentials
package import Foundation
import GRDB
import PasswordHashing
package import Vestibule

extension SQLiteStore {
    /// Marks the row of a mail that nobody gets; it goes with the next purge.
    static let mailToNobody = "nobody"
    /// When such a mail is due, in milliseconds: in the year 9999. It stands in the index of due
    /// mails like any other, as a page less to write would tell that there is no account.
    static let neverDue: Int64 = 253_402_300_799_000

    package func addPendingReset(
        _ pending: PendingReset, replaces: TokenDigest?, mail: QueuedMail
    ) async throws {
        try await write { database in
            try database.run(
                "DELETE FROM pending_resets WHERE flow = ?", [(replaces ?? pending.code.flow).bytes.data]
            )
            try insert(pending, database)
            try queue(.toOwner(mail), for: pending.code.email.key, database)
        }
    }

    package func pendingReset(flow: TokenDigest, now: Date) async throws -> PendingReset? {
        try await read { try $0.pending(.reset, flow, now).map(PendingReset.init(row:)) }
    }

    package func proveReset(
        flow: TokenDigest, attempt: CodeAttempt, next: TokenDigest, until: Date, now: Date
    ) async throws -> Bool {
        try await write { database in
            let row = try redeem(.reset, flow, attempt, now, database)
            guard let row, try resettableAccount(row["email_key"], database) != nil else { return false }
            try database.run(
                """
                UPDATE pending_resets SET flow = ?1, proved = 1, code_digest = randomblob(32), code_expires_at = ?2,
                    expires_at = max(expires_at, ?2) WHERE flow = ?3
                """,
                [next.bytes.data, until.ms, flow.bytes.data]
            )
            return true
        }
    }

    package func redeemReset(
        flow: TokenDigest, attempt: CodeAttempt?, redemption: PasswordResetRedemption, now: Date
    ) async throws -> AccountID? {
        try await write { database in
            let row: Row?
            if let attempt {
                row = try redeem(.reset, flow, attempt, now, database)
            } else {
                row = try proved(flow, now, database)
            }
            guard let pending = row.map(PendingReset.init(row:)),
                let accountID = try resettableAccount(pending.code.email.key, database)
            else { return nil }
            try database.run("DELETE FROM pending_resets WHERE flow = ?", [flow.bytes.data])
            try redeem(redemption, accountID, pending.code.email.key, now, database)
            return accountID
        }
    }

    /// The flow whose code was right, while its password may still be chosen.
    private func proved(_ flow: TokenDigest, _ now: Date, _ database: Database) throws -> Row? {
        try Row.fetchOne(
            database, cachedSQL: "SELECT * FROM pending_resets WHERE flow = ? AND proved AND code_expires_at > ?",
            [flow.bytes.data, now.ms]
        )
    }

    /// With `accountID` its link may bind it to any browser.
    func insert(_ pending: PendingReset, accountID: AccountID? = nil, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO pending_resets (
                flow, email, email_key, code_digest, code_expires_at, expires_at, locale, account_id, return_to
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                pending.code.flow.bytes.data, pending.code.email.typed, pending.code.email.key,
                pending.code.digest.bytes.data, pending.code.codeExpiresAt.ms, pending.code.expiresAt.ms,
                pending.locale, accountID, pending.returnTo,
            ]
        )
    }

    /// No code that was mailed works any more. Flows that strangers began stay: that one ended
    /// would tell them that there is an account.
    func endResets(of accountID: AccountID, _ emailKey: String, _ database: Database) throws {
        try database.run("DELETE FROM pending_resets WHERE account_id = ?", [accountID])
        try database.run(
            "UPDATE pending_resets SET code_digest = randomblob(32), proved = 0 WHERE email_key = ?", [emailKey])
    }

    private func redeem(
        _ redemption: PasswordResetRedemption, _ accountID: AccountID, _ emailKey: String, _ now: Date,
        _ database: Database
    ) throws {
        try carryOut(redemption.ways, accountID, database)
        try endUnprovedWays(emailKey, database)
        try carryOut(WaysInEnd(.passwordReset), of: accountID, database)
        try database.run(
            "UPDATE accounts SET password_hash = ?, verified_at = coalesce(verified_at, ?) WHERE id = ?",
            [redemption.passwordHash.phc, now.ms, accountID]
        )
        try passwordSet(of: accountID, at: now, database)
        try forgetBrowsers(accountID, now, database)
        try database.run("DELETE FROM login_failures WHERE key = ?", [redemption.failuresKey.data])
        try insert(redemption.notice, database)
        try insert(redemption.event.of(accountID), database)
    }

    private func resettableAccount(_ emailKey: String, _ database: Database) throws -> AccountID? {
        try Row.fetchOne(
            database, cachedSQL: "SELECT id FROM accounts WHERE email_key = ? AND disabled_at IS NULL", [emailKey]
        )?["id"]
    }

    func queueReset(_ mail: QueuedMail, for emailKey: String, _ database: Database) throws {
        // The account or the one after it: a row is read either way.
        let next = try Row.fetchOne(
            database,
            cachedSQL: "SELECT email_key, disabled_at FROM accounts WHERE email_key >= ? ORDER BY email_key LIMIT 1",
            [emailKey]
        )
        let isForSomebody = next?["email_key"] == emailKey && next?.dateIfAny("disabled_at") == nil
        try database.run(
            """
            INSERT INTO outbox (id, sealed, created_at, due_at, failure, recipient, domain, urgent)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                mail.id, mail.sealed.data, mail.createdAt.ms, isForSomebody ? mail.createdAt.ms : Self.neverDue,
                isForSomebody ? nil : Self.mailToNobody, mail.recipient.data, mail.domain.data, mail.isUrgent,
            ]
        )
    }
}

extension PendingReset {
    init(row: Row) {
        self.init(
            code: PendingCode(row: row), locale: row["locale"], returnTo: row["return_to"], isProved: row["proved"],
            isMailed: row["account_id"] != nil
        )
    }
}
