package import Essentials
package import Foundation
package import Vestibule

extension SQLStore {
    package func prove(
        _ use: FactorUse, _ renewal: SessionRenewal, accountID: AccountID, events: [SecurityEvent], mails: [QueuedMail]
    ) async throws {
        try await write { connection in
            try apply(use, accountID, at: renewal.provedAt, connection)
            try renew(renewal, connection)
            try mails.forEach { try insert($0, connection) }
            try events.forEach { try insert($0, connection) }
        }
    }

    package func trustedUntil(browser: TokenDigest, accountID: AccountID) async throws -> Date? {
        try await readOne { connection in
            try connection.one(
                "SELECT expires_at FROM trusted_browsers WHERE account_id = $1 AND browser = $2", [accountID, browser]
            )?.date("expires_at")
        }
    }

    /// Uses a factor up; an owner who has one needs no removal. Throws `UsedBefore`.
    func apply(_ factor: FactorUse, _ accountID: AccountID, at now: Date, _ connection: Connection) throws {
        switch factor {
        case .passkey(let passkey): try apply(passkey, accountID, now, connection)
        case .totp(let step, let madeAt):
            let used = try connection.run(
                """
                UPDATE totp_keys SET last_step = $1, last_used_at = greatest(created_at, $2)
                WHERE account_id = $3 AND last_step < $1 AND created_at = $4
                """,
                [step, now.ms, accountID, madeAt.ms])
            guard used > 0 else { throw UsedBefore() }
        case .recoveryCode(let digest): try use(code: digest, accountID, now, connection)
        }
        try connection.later("DELETE FROM factor_removals WHERE account_id = $1", [accountID])
    }

    private func apply(
        _ passkey: PasskeyUse, _ accountID: AccountID, _ now: Date, _ connection: Connection
    ) throws {
        try use(passkey.once, connection)
        let used = try connection.run(
            """
            UPDATE passkeys SET signature_count = $1, is_backup_eligible = $2, is_backed_up = $3,
                last_used_at = greatest(created_at, $4)
            WHERE id = $5 AND account_id = $6
            """,
            [
                Int64(passkey.signatureCount), passkey.backup.isEligible, passkey.backup.isBackedUp, now.ms, passkey.id,
                accountID,
            ])
        guard used > 0 else { throw UsedBefore() }
    }

    private func use(code digest: [UInt8], _ accountID: AccountID, _ now: Date, _ connection: Connection) throws {
        let used = try connection.run(
            """
            UPDATE recovery_codes SET used_at = greatest(created_at, $1)
            WHERE account_id = $2 AND digest = $3 AND used_at IS NULL
            """,
            [now.ms, accountID, digest])
        guard used > 0 else { throw UsedBefore() }
    }
}
