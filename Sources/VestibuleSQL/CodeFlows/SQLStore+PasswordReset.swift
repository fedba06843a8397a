package import Essentials
package import Foundation
import PasswordHashing
package import Vestibule

extension SQLStore {
    /// 32 bytes that are the digest of no code.
    private static var digestOfNothing: String { "sha256(uuid_send(gen_random_uuid()))" }

    package func addPendingReset(
        _ pending: PendingReset, replaces: TokenDigest?, mail: QueuedMail
    ) async throws {
        try await write(.plain) { connection in
            try end(.reset, replaces ?? pending.code.flow, connection)
            try insert(pending, connection)
            try queue(.toOwner(mail), for: pending.code.email.key, connection)
        }
    }

    package func pendingReset(flow: TokenDigest, now: Date) async throws -> PendingReset? {
        try await readOne { try $0.pending(.reset, flow, now).map(PendingReset.init(row:)) }
    }

    package func proveReset(
        flow: TokenDigest, attempt: CodeAttempt, next: TokenDigest, until: Date, now: Date
    ) async throws -> Bool {
        try await write { connection in
            let row = try redeem(.reset, flow, attempt, now, connection)
            guard let row, try resettableAccount(try row["email_key"], connection) != nil else { return false }
            try connection.later(
                """
                UPDATE pending_resets SET flow = $1, proved = true, code_digest = \(Self.digestOfNothing),
                    code_expires_at = $2, expires_at = greatest(expires_at, $2) WHERE flow = $3
                """,
                [next, until.ms, flow]
            )
            return true
        }
    }

    package func redeemReset(
        flow: TokenDigest, attempt: CodeAttempt?, redemption: PasswordResetRedemption, now: Date
    ) async throws -> AccountID? {
        try await write(.urgent) { connection in
            let row: Connection.Row?
            if let attempt {
                row = try redeem(.reset, flow, attempt, now, connection)
            } else {
                row = try connection.provedReset(flow, now)
            }
            guard let pending = try row.map(PendingReset.init(row:)),
                let accountID = try resettableAccount(pending.code.email.key, connection),
                let account = try account(accountID, connection)
            else { return nil }
            try redemption.passwordHash.require(account.displayName)
            try connection.later("DELETE FROM pending_resets WHERE flow = $1", [flow])
            try redeem(redemption, accountID, pending.code.email.key, now, connection)
            return accountID
        }
    }

    /// With `accountID` its link may bind it to any browser.
    func insert(_ pending: PendingReset, accountID: AccountID? = nil, _ connection: Connection) throws {
        try connection.insert(
            pending.code, of: .reset, "email, locale, account_id, return_to",
            [pending.code.email.typed, pending.locale, accountID, pending.returnTo])
    }

    /// No code that was mailed works any more. Flows that strangers began stay: that one ended
    /// would tell them that there is an account.
    func endResets(of accountID: AccountID, _ emailKey: String, _ connection: Connection) throws {
        try connection.later("DELETE FROM pending_resets WHERE account_id = $1", [accountID])
        try connection.later(
            "UPDATE pending_resets SET code_digest = \(Self.digestOfNothing), proved = false WHERE email_key = $1",
            [emailKey])
    }

    private func redeem(
        _ redemption: PasswordResetRedemption, _ accountID: AccountID, _ emailKey: String, _ now: Date,
        _ connection: Connection
    ) throws {
        try carryOut(redemption.ways, accountID, connection)
        try endUnprovedWays(emailKey, at: now, connection)
        try carryOut(WaysInEnd(.passwordReset), of: accountID, connection)
        try connection.later(
            "UPDATE accounts SET password_hash = $1, verified_at = coalesce(verified_at, $2) WHERE id = $3",
            [redemption.passwordHash.hash.phc, now.ms, accountID]
        )
        try passwordSet(of: accountID, at: now, connection)
        try forgetBrowsers(accountID, now, connection)
        try forgetFailures(redemption.failuresKey, connection)
        try insert(redemption.notice, connection)
        try insert(redemption.event.of(accountID), connection)
    }

    private func resettableAccount(_ emailKey: String, _ connection: Connection) throws -> AccountID? {
        try connection.one("SELECT id FROM accounts WHERE email_key = $1 AND disabled_at IS NULL", [emailKey])
            .map { try $0["id"] }
    }

    func queueReset(_ mail: QueuedMail, for emailKey: String, _ connection: Connection) throws {
        // The account or the one after it: a row is read either way.
        let next = try connection.one(
            "SELECT email_key, disabled_at FROM accounts WHERE email_key >= $1 ORDER BY email_key LIMIT 1",
            [emailKey])
        let isForSomebody = try next.map { try $0["email_key"] == emailKey && $0.dateIfAny("disabled_at") == nil }
        let dueAt = isForSomebody == true ? mail.createdAt.ms : QueuedMail.neverDue
        try connection.insert(
            into: "outbox", "id, sealed, created_at, due_at, failure, recipient, domain, urgent",
            [
                mail.id, mail.sealed, mail.createdAt.ms, dueAt, isForSomebody == true ? nil : QueuedMail.toNobody,
                mail.recipient, mail.domain, mail.isUrgent,
            ])
    }
}

extension PendingReset {
    init(row: some SQLRow) throws {
        self.init(
            code: try PendingCode(row: row), locale: try row["locale"], returnTo: try row["return_to"],
            isProved: try row["proved"], isMailed: try row["account_id"] as AccountID? != nil
        )
    }
}
