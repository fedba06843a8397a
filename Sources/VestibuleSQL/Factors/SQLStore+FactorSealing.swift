package import Essentials
package import Vestibule

extension SQLStore {
    package func sealedFactors(
        _ kind: SecondFactor, notUnder keyID: [UInt8], after accountID: AccountID?
    ) async throws -> [SealedFactor] {
        try await select(
            """
            SELECT account_id, sealed FROM factor_keys
            WHERE kind = $1 AND account_id > $2 AND substr(sealed, 1, 4) <> $3
            ORDER BY account_id LIMIT \(SealedFactor.atOnce)
            """,
            [kind.rawValue, accountID?.rawValue ?? "", keyID]
        ) { SealedFactor(kind: kind, accountID: try $0["account_id"], sealed: try $0["sealed"]) }
    }

    package func reseal(_ renewed: [ResealedFactor]) async throws {
        guard !renewed.isEmpty else { return }
        try await write(.plain) { connection in
            for factor in renewed {
                let before = factor.before
                try connection.later(
                    "UPDATE factor_keys SET sealed = $1 WHERE account_id = $2 AND kind = $3 AND sealed = $4",
                    [factor.sealed, before.accountID, before.kind.rawValue, before.sealed])
            }
        }
    }

    package func factorsSealed(notUnder keyID: [UInt8]) async throws -> Int {
        try await selectOne("SELECT count(*) AS count FROM factor_keys WHERE substr(sealed, 1, 4) <> $1", [keyID]) {
            try $0["count"]
        } ?? 0
    }
}
