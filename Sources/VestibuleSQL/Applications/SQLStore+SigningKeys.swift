import Essentials
import Foundation
package import Vestibule

extension SQLStore {
    package func signingKeys(_ algorithm: SigningAlgorithm) async throws -> [StoredSigningKey] {
        try await select(
            "SELECT id, sealed, created_at, signs_from FROM \(algorithm.table) ORDER BY signs_from"
        ) { row in
            StoredSigningKey(
                id: try row["id"], sealed: try row["sealed"], createdAt: try row.date("created_at"),
                signsFrom: try row.date("signs_from"), algorithm: algorithm)
        }
    }

    package func addFirstSigningKey(_ key: StoredSigningKey) async throws -> Bool {
        try await write { connection in
            guard try connection.one("SELECT 1 FROM \(key.algorithm.table) LIMIT 1") == nil else { return false }
            try insert(key, connection)
            return true
        }
    }

    package func addNextSigningKey(_ key: StoredSigningKey, event: SecurityEvent) async throws -> Bool {
        try await write { connection in
            let waiting = try connection.one(
                "SELECT 1 FROM \(key.algorithm.table) WHERE signs_from > $1 LIMIT 1", [key.createdAt.ms])
            guard waiting == nil else { return false }
            try insert(key, connection)
            try insert(event, connection)
            return true
        }
    }

    package func replaceSigningKeys(with key: StoredSigningKey, event: SecurityEvent) async throws {
        try await write { connection in
            try connection.run("DELETE FROM \(key.algorithm.table)")
            try insert(key, connection)
            try insert(event, connection)
        }
    }

    package func reseal(_ key: StoredSigningKey, as sealed: [UInt8]) async throws {
        try await write(.plain) { connection in
            try connection.later(
                "UPDATE \(key.algorithm.table) SET sealed = $1 WHERE id = $2 AND sealed = $3",
                [sealed, key.id, key.sealed])
        }
    }

    private func insert(_ key: StoredSigningKey, _ connection: Connection) throws {
        try connection.insert(
            into: key.algorithm.table, "id, sealed, created_at, signs_from",
            [key.id, key.sealed, key.createdAt.ms, key.signsFrom.ms])
    }
}

extension SigningAlgorithm {
    fileprivate var table: String {
        switch self {
        case .es256: "signing_keys"
        case .rs256: "rsa_signing_keys"
        }
    }
}
