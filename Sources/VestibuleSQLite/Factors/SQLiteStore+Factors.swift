package import Essentials
package import Foundation
import GRDB
package import Vestibule

extension SQLiteStore {
    package func factors(accountID: AccountID) async throws -> AccountFactors {
        try await read { try factors(accountID, $0) }
    }

    package func accountsWithSecondFactor() async throws -> Int {
        try await read { database in
            let sql = """
                SELECT count(*) FROM (
                    SELECT account_id FROM passkeys WHERE is_second_factor UNION SELECT account_id FROM totp_keys
                )
                """
            return try Int.fetchOne(database, sql: sql) ?? 0
        }
    }

    func factors(_ accountID: AccountID, _ database: Database) throws -> AccountFactors {
        let passkeys = try Row.fetchAll(
            database.cachedStatement(sql: "SELECT * FROM passkeys WHERE account_id = ? ORDER BY created_at, id"),
            arguments: [accountID]
        ).map(Passkey.init(row:))
        let handle = try Row.fetchOne(
            database, cachedSQL: "SELECT handle FROM passkey_users WHERE account_id = ?", [accountID])
        let totp = try Row.fetchOne(
            database, cachedSQL: "SELECT * FROM totp_keys WHERE account_id = ?", [accountID])
        let removal = try Row.fetchOne(
            database, cachedSQL: "SELECT due_at FROM factor_removals WHERE account_id = ?", [accountID])
        return AccountFactors(
            passkeys: passkeys, totp: totp.map(TOTPFactor.init(row:)),
            recoveryCodes: try recoveryCodes(accountID, database), userHandle: handle?.bytes("handle"),
            removalDueAt: removal?.date("due_at"))
    }

    private func recoveryCodes(_ accountID: AccountID, _ database: Database) throws -> RecoveryCodeCount? {
        let row = try Row.fetchOne(
            database,
            cachedSQL: """
                SELECT count(*) FILTER (WHERE used_at IS NULL) AS left, max(created_at) AS created_at,
                    max(used_at) AS last_used_at, sealed
                FROM recovery_codes JOIN recovery_keys USING (account_id) WHERE account_id = ?
                """, [accountID])
        guard let row, let createdAt = row.dateIfAny("created_at") else { return nil }
        return RecoveryCodeCount(
            left: row["left"], createdAt: createdAt, lastUsedAt: row.dateIfAny("last_used_at"),
            sealedKey: row.bytes("sealed"))
    }

    package func setTOTP(_ totp: TOTPFactor, _ change: FactorChange) async throws {
        try await write { database in
            try database.run(
                """
                INSERT OR REPLACE INTO totp_keys (account_id, sealed, last_step, created_at, last_used_at)
                VALUES (?, ?, ?, ?, ?)
                """,
                [change.accountID, totp.sealed.data, totp.lastStep, totp.createdAt.ms, totp.lastUsedAt?.ms])
            try note(change, database)
        }
    }

    package func removeTOTP(_ change: FactorChange) async throws -> Bool {
        try await write { database in
            try database.run("DELETE FROM totp_keys WHERE account_id = ?", [change.accountID])
            guard database.changesCount > 0 else { return false }
            try dropCodesWithoutFactor(change.accountID, database)
            try note(change, database)
            return true
        }
    }

    package func takeBackFactors(
        since: Date, passkeyID: String?, once: Once, _ change: FactorChange
    ) async throws -> Bool {
        try await write { database in
            let before = try factors(change.accountID, database)
            let takesBack =
                before.passkeys.contains { $0.id == passkeyID || $0.countsSince >= since }
                || before.totp.map { $0.createdAt >= since } ?? false
            guard takesBack else { return false }
            try use(once, database)
            try database.run("DELETE FROM passkeys WHERE id = ? AND account_id = ?", [passkeyID, change.accountID])
            try carryOut(.factorTakenBack(since: since, at: change.event.at), of: change.accountID, database)
            try note(change, database)
            return true
        }
    }

    package func setRecoveryCodes(_ codes: RecoveryCodeSet, _ change: FactorChange) async throws {
        try await write { database in
            try database.run("DELETE FROM recovery_codes WHERE account_id = ?", [change.accountID])
            try database.run(
                "INSERT OR REPLACE INTO recovery_keys (account_id, sealed) VALUES (?, ?)",
                [change.accountID, codes.sealedKey.data])
            for digest in codes.digests {
                try database.run(
                    "INSERT INTO recovery_codes (account_id, digest, created_at) VALUES (?, ?, ?)",
                    [change.accountID, digest.data, change.event.at.ms])
            }
            try note(change, database)
        }
    }

    /// Codes that stand in for a factor are worth nothing without one.
    func dropCodesWithoutFactor(_ accountID: AccountID, _ database: Database) throws {
        guard try !factors(accountID, database).asksSecondStep else { return }
        for table in ["recovery_codes", "recovery_keys"] {
            try database.run("DELETE FROM \(table) WHERE account_id = ?", [accountID])
        }
    }

    /// What goes with every change of factors.
    func note(_ change: FactorChange, _ database: Database) throws {
        if let renewal = change.renewal { try renew(renewal, database) }
        try settleWaiting(change, database)
        if change.forgetsBrowsers { try forgetBrowsers(change.accountID, change.event.at, database) }
        try database.run("DELETE FROM trusted_browsers WHERE account_id = ?", [change.accountID])
        try database.run("DELETE FROM factor_removals WHERE account_id = ?", [change.accountID])
        try insert(change.notice, database)
        try insert(change.event, database)
    }
}

extension SQLiteStore {
    /// Where a second factor is required: without one, every session waits for it. Once there is
    /// one, the session that added it waits no longer; others that waited have proved none, and
    /// end.
    private func settleWaiting(_ change: FactorChange, _ database: Database) throws {
        guard try factors(change.accountID, database).asksSecondStep else {
            return try database.run(
                "UPDATE sessions SET awaits_factor = ? WHERE account_id = ?",
                [change.requiresFactor, change.accountID])
        }
        let own = change.renewal?.sessionID
        try database.run("UPDATE sessions SET awaits_factor = 0 WHERE id = ?", [own])
        try database.run("DELETE FROM sessions WHERE account_id = ? AND awaits_factor", [change.accountID])
    }
}

extension TOTPFactor {
    init(row: Row) {
        self.init(
            sealed: row.bytes("sealed"), lastStep: row["last_step"], createdAt: row.date("created_at"),
            lastUsedAt: row.dateIfAny("last_used_at"))
    }
}
