package import Essentials
package import Foundation
package import Vestibule

extension SQLStore {
    package func factors(accountID: AccountID) async throws -> AccountFactors {
        try await readOne { try factors(accountID, $0) }
    }

    package func accountsWithSecondFactor() async throws -> Int {
        try await read { connection in
            let row = try connection.one(
                """
                SELECT count(*) AS count FROM (
                    SELECT account_id FROM passkeys WHERE is_second_factor UNION SELECT account_id FROM totp_keys
                ) AS owners
                """)
            return try row?["count"] ?? 0
        }
    }

    /// One statement, which sees one moment: of an account that swaps its factors, two could find
    /// none.
    func factors(_ accountID: AccountID, _ connection: Connection) throws -> AccountFactors {
        let found = try connection.all(Self.factorsOfAccount, [accountID])
        let rest = found.first
        let totp = try rest?["totp_sealed"] as [UInt8]? == nil ? nil : rest
        let passkeys = try found.filter { try $0["id"] as String? != nil }
        return AccountFactors(
            passkeys: try passkeys.map(Passkey.init(row:)), totp: try totp.map(TOTPFactor.init(row:)),
            recoveryCodes: try rest.flatMap(RecoveryCodeCount.init(row:)), userHandle: try rest?["handle"],
            removalDueAt: try rest?.dateIfAny("due_at"))
    }

    /// A row for each passkey, or one without; each has all the rest.
    private static var factorsOfAccount: String {
        """
        SELECT \(Passkey.columns), handle, totp_keys.sealed AS totp_sealed, last_step,
            totp_keys.created_at AS totp_created_at, totp_keys.last_used_at AS totp_last_used_at, due_at, unused_codes,
            codes_created_at, codes_last_used_at, recovery_keys.sealed AS sealed_recovery_key
        FROM (SELECT $1 AS account_id) AS asked LEFT JOIN passkey_users USING (account_id)
        LEFT JOIN totp_keys USING (account_id) LEFT JOIN factor_removals USING (account_id)
        LEFT JOIN recovery_keys USING (account_id) LEFT JOIN passkeys USING (account_id)
        LEFT JOIN (
            SELECT account_id, count(*) FILTER (WHERE used_at IS NULL) AS unused_codes,
                max(created_at) AS codes_created_at, max(used_at) AS codes_last_used_at
            FROM recovery_codes WHERE account_id = $1 GROUP BY account_id
        ) AS codes USING (account_id)
        ORDER BY passkeys.created_at, passkeys.id
        """
    }

    package func setTOTP(_ totp: TOTPFactor, _ change: FactorChange) async throws {
        try await write { connection in
            try connection.later(
                """
                INSERT INTO totp_keys (account_id, sealed, last_step, created_at, last_used_at)
                VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT (account_id) DO UPDATE SET sealed = excluded.sealed, last_step = excluded.last_step,
                    created_at = excluded.created_at, last_used_at = excluded.last_used_at
                """,
                [change.accountID, totp.sealed, totp.lastStep, totp.createdAt.ms, totp.lastUsedAt?.ms])
            try note(change, connection)
        }
    }

    package func removeTOTP(_ change: FactorChange) async throws -> Bool {
        try await write { connection in
            let removed = try connection.run("DELETE FROM totp_keys WHERE account_id = $1", [change.accountID])
            guard removed > 0 else { return false }
            try dropCodesWithoutFactor(change.accountID, connection)
            try note(change, connection)
            return true
        }
    }

    package func takeBackFactors(
        since: Date, passkeyID: String?, once: Once, _ change: FactorChange
    ) async throws -> Bool {
        try await write { connection in
            let before = try factors(change.accountID, connection)
            let takesBack =
                before.passkeys.contains { $0.id == passkeyID || $0.countsSince >= since }
                || before.totp.map { $0.createdAt >= since } ?? false
            guard takesBack else { return false }
            try use(once, connection)
            try connection.later(
                "DELETE FROM passkeys WHERE id = $1 AND account_id = $2", [passkeyID, change.accountID])
            try carryOut(.factorTakenBack(since: since, at: change.event.at), of: change.accountID, connection)
            try note(change, connection)
            return true
        }
    }

    package func setRecoveryCodes(_ codes: RecoveryCodeSet, _ change: FactorChange) async throws {
        try await write { connection in
            try connection.later("DELETE FROM recovery_codes WHERE account_id = $1", [change.accountID])
            try connection.later(
                """
                INSERT INTO recovery_keys (account_id, sealed) VALUES ($1, $2)
                ON CONFLICT (account_id) DO UPDATE SET sealed = excluded.sealed
                """,
                [change.accountID, codes.sealedKey])
            for digest in codes.digests {
                try connection.later(
                    "INSERT INTO recovery_codes (account_id, digest, created_at) VALUES ($1, $2, $3)",
                    [change.accountID, digest, change.event.at.ms])
            }
            try note(change, connection)
        }
    }

    /// Codes that stand in for a factor are worth nothing without one.
    func dropCodesWithoutFactor(_ accountID: AccountID, _ connection: Connection) throws {
        guard try !factors(accountID, connection).asksSecondStep else { return }
        try delete(from: ["recovery_codes", "recovery_keys"], accountID, connection)
    }

    /// What goes with every change of factors.
    func note(_ change: FactorChange, _ connection: Connection) throws {
        if let renewal = change.renewal { try renew(renewal, connection) }
        try settleWaiting(change, connection)
        if change.forgetsBrowsers { try forgetBrowsers(change.accountID, change.event.at, connection) }
        try delete(from: ["trusted_browsers", "factor_removals"], change.accountID, connection)
        try insert(change.notice, connection)
        try insert(change.event, connection)
    }
}

extension SQLStore {
    /// Where a second factor is required: without one, every session waits for it. Once there is
    /// one, the session that added it waits no longer; others that waited have proved none, and
    /// end.
    private func settleWaiting(_ change: FactorChange, _ connection: Connection) throws {
        guard try factors(change.accountID, connection).asksSecondStep else {
            try connection.later(
                "UPDATE sessions SET awaits_factor = $1 WHERE account_id = $2",
                [change.requiresFactor, change.accountID])
            return
        }
        try connection.later("UPDATE sessions SET awaits_factor = false WHERE id = $1", [change.renewal?.sessionID])
        try connection.later("DELETE FROM sessions WHERE account_id = $1 AND awaits_factor", [change.accountID])
    }
}

extension TOTPFactor {
    init(row: some SQLRow) throws {
        self.init(
            sealed: try row.bytes("totp_sealed"), lastStep: try row["last_step"],
            createdAt: try row.date("totp_created_at"), lastUsedAt: try row.dateIfAny("totp_last_used_at"))
    }
}

extension RecoveryCodeCount {
    /// Nil if there are no codes.
    init?(row: some SQLRow) throws {
        guard let createdAt = try row.dateIfAny("codes_created_at") else { return nil }
        self.init(
            left: try row["unused_codes"], createdAt: createdAt, lastUsedAt: try row.dateIfAny("codes_last_used_at"),
            sealedKey: try row["sealed_recovery_key"] ?? [])
    }
}
