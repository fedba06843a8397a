package import Essentials
import GRDB
package import Vestibule

extension SQLiteStore {
    package func sealedFactors(
        _ kind: SealedFactor.Kind, notUnder keyID: [UInt8], after accountID: AccountID?
    ) async throws -> [SealedFactor] {
        try await read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT account_id, sealed FROM \(kind.table) WHERE account_id > ? AND substr(sealed, 1, 4) <> ?
                        ORDER BY account_id LIMIT \(SealedFactor.atOnce)
                        """),
                arguments: [accountID?.rawValue ?? "", keyID.data]
            ).map { SealedFactor(kind: kind, accountID: $0["account_id"], sealed: $0.bytes("sealed")) }
        }
    }

    package func reseal(_ renewed: [ResealedFactor]) async throws {
        guard !renewed.isEmpty else { return }
        try await write { database in
            for factor in renewed {
                let before = factor.before
                try database.run(
                    "UPDATE \(before.kind.table) SET sealed = ? WHERE account_id = ? AND sealed = ?",
                    [factor.sealed.data, before.accountID, before.sealed.data])
            }
        }
    }

    package func factorsSealed(notUnder keyID: [UInt8]) async throws -> Int {
        try await read { database in
            try SealedFactor.Kind.allCases.reduce(0) { sum, kind in
                let sql = "SELECT count(*) FROM \(kind.table) WHERE substr(sealed, 1, 4) <> ?"
                return sum + (try Int.fetchOne(database, sql: sql, arguments: [keyID.data]) ?? 0)
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
