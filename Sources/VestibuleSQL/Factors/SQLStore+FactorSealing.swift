package import Essentials
package import Vestibule

extension SQLStore {
    package func sealedFactors(
        _ kind: SealedFactor.Kind, notUnder keyID: [UInt8], after accountID: AccountID?
    ) async throws -> [SealedFactor] {
        try await read { connection in
            try connection.all(
                """
                SELECT account_id, sealed FROM \(kind.table) WHERE account_id > $1 AND substr(sealed, 1, 4) <> $2
                ORDER BY account_id LIMIT \(SealedFactor.atOnce)
                """,
                [accountID?.rawValue ?? "", keyID]
            ).map { SealedFactor(kind: kind, accountID: try $0["account_id"], sealed: try $0["sealed"]) }
        }
    }

    package func reseal(_ renewed: [ResealedFactor]) async throws {
        guard !renewed.isEmpty else { return }
        try await writePlain { connection in
            for factor in renewed {
                let before = factor.before
                try connection.later(
                    "UPDATE \(before.kind.table) SET sealed = $1 WHERE account_id = $2 AND sealed = $3",
                    [factor.sealed, before.accountID, before.sealed])
            }
        }
    }

    package func factorsSealed(notUnder keyID: [UInt8]) async throws -> Int {
        try await read { connection in
            try SealedFactor.Kind.allCases.reduce(0) { sum, kind in
                let row = try connection.one(
                    "SELECT count(*) AS count FROM \(kind.table) WHERE substr(sealed, 1, 4) <> $1", [keyID])
                return try sum + (row?["count"] ?? 0)
            }
        }
    }
}

extension SealedFactor.Kind {
    fileprivate var table: String {
        switch self {
        case .totpKey: "totp_keys"
        case .recoveryKey: "recovery_keys"
        }
    }
}
