package import Essentials
package import Foundation
package import Vestibule

extension SQLStore {
    package func prove(
        _ use: FactorUse, _ renewal: SessionRenewal, accountID: AccountID, events: [SecurityEvent], mails: [QueuedMail]
    ) async throws {
        try await write { connection in
            try apply(use, accountID, at: renewal.proof.at, connection)
            try renew(renewal, connection)
            // It may have begun when the settings let this factor not count.
            try connection.later(
                "UPDATE sessions SET awaits_factor = false WHERE id = $1 AND awaits_factor", [renewal.sessionID])
            try mails.forEach { try insert($0, connection) }
            try events.forEach { try insert($0, connection) }
        }
    }

    package func trustedUntil(browser: TokenDigest, accountID: AccountID) async throws -> Date? {
        try await selectOne(
            "SELECT expires_at FROM trusted_browsers WHERE account_id = $1 AND browser = $2", [accountID, browser]
        ) { try $0.date("expires_at") }
    }

    /// Uses a factor up. As a second factor it also ends the count of wrong ones and a removal that
    /// waits. Throws `UsedBefore`.
    func apply(
        _ factor: FactorUse, _ accountID: AccountID, at now: Date, isSecondFactor: Bool = true, _ connection: Connection
    ) throws {
        switch factor {
        case .passkey(let passkey): try apply(passkey, accountID, now, connection)
        case .counter(let counter, let kind, let madeAt):
            let used = try connection.run(
                """
                UPDATE factor_keys SET counter = $1, last_used_at = greatest(created_at, $2)
                WHERE account_id = $3 AND kind = $4 AND counter < $1 AND created_at = $5
                """,
                [counter, now.ms, accountID, kind.rawValue, madeAt.ms])
            guard used > 0 else { throw UsedBefore() }
        case .code(let digest, let kind):
            let used = try connection.run(
                "DELETE FROM factor_codes WHERE account_id = $1 AND kind = $2 AND digest = $3",
                [accountID, kind.rawValue, digest])
            guard used > 0 else { throw UsedBefore() }
            try connection.later(
                """
                UPDATE factor_keys SET counter = counter - 1, last_used_at = greatest(created_at, $1)
                WHERE account_id = $2 AND kind = $3
                """,
                [now.ms, accountID, kind.rawValue])
        }
        guard isSecondFactor else { return }
        try forgetFailures(FailureCount.factorKey(accountID), connection)
        try endFactorRemoval(of: accountID, connection)
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
}
