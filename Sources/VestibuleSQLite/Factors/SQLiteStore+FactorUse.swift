package import Essentials
package import Foundation
import GRDB
package import Vestibule

extension SQLiteStore {
    package func prove(
        _ use: FactorUse, _ renewal: SessionRenewal, accountID: AccountID, events: [SecurityEvent], mails: [QueuedMail]
    ) async throws {
        try await write { database in
            try apply(use, accountID, at: renewal.provedAt, database)
            try renew(renewal, database)
            try mails.forEach { try insert($0, database) }
            try events.forEach { try insert($0, database) }
        }
    }

    package func trustedUntil(browser: TokenDigest, accountID: AccountID) async throws -> Date? {
        try await read { database in
            try Row.fetchOne(
                database, cachedSQL: "SELECT expires_at FROM trusted_browsers WHERE account_id = ? AND browser = ?",
                [accountID, browser.bytes.data]
            )?.date("expires_at")
        }
    }

    /// Uses a factor up; an owner who has one needs no removal. Throws `UsedBefore`.
    func apply(_ factor: FactorUse, _ accountID: AccountID, at now: Date, _ database: Database) throws {
        switch factor {
        case .passkey(let passkey): try apply(passkey, accountID, now, database)
        case .totp(let step, let madeAt):
            try database.run(
                """
                UPDATE totp_keys SET last_step = ?1, last_used_at = max(created_at, ?2)
                WHERE account_id = ?3 AND last_step < ?1 AND created_at = ?4
                """,
                [step, now.ms, accountID, madeAt.ms])
            guard database.changesCount > 0 else { throw UsedBefore() }
        case .recoveryCode(let digest): try use(code: digest, accountID, now, database)
        }
        try database.run("DELETE FROM factor_removals WHERE account_id = ?", [accountID])
    }

    private func apply(_ passkey: PasskeyUse, _ accountID: AccountID, _ now: Date, _ database: Database) throws {
        try use(passkey.once, database)
        try database.run(
            """
            UPDATE passkeys SET signature_count = ?, is_backup_eligible = ?, is_backed_up = ?,
                last_used_at = max(created_at, ?)
            WHERE id = ? AND account_id = ?
            """,
            [
                passkey.signatureCount, passkey.backup.isEligible, passkey.backup.isBackedUp, now.ms, passkey.id,
                accountID,
            ])
        guard database.changesCount > 0 else { throw UsedBefore() }
    }

    private func use(code digest: [UInt8], _ accountID: AccountID, _ now: Date, _ database: Database) throws {
        try database.run(
            """
            UPDATE recovery_codes SET used_at = max(created_at, ?)
            WHERE account_id = ? AND digest = ? AND used_at IS NULL
            """,
            [now.ms, accountID, digest.data])
        guard database.changesCount > 0 else { throw UsedBefore() }
    }
}
