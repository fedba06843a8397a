import Essentials
import Foundation
import GRDB
package import Vestibule

extension SQLiteStore {
    /// Whether another key took over by that time, milliseconds since 1970.
    static let isFollowed = "signs_from < (SELECT max(signs_from) FROM signing_keys WHERE signs_from <= ?)"

    package func signingKeys() async throws -> [StoredSigningKey] {
        try await read { database in
            try Row.fetchAll(
                database.cachedStatement(sql: "SELECT * FROM signing_keys ORDER BY signs_from")
            ).map { row in
                StoredSigningKey(
                    id: row["id"], sealed: row.bytes("sealed"), createdAt: row.date("created_at"),
                    signsFrom: row.date("signs_from"))
            }
        }
    }

    package func addFirstSigningKey(_ key: StoredSigningKey) async throws -> Bool {
        try await write { database in
            guard try Row.fetchOne(database, cachedSQL: "SELECT 1 FROM signing_keys", []) == nil else { return false }
            try insert(key, database)
            return true
        }
    }

    package func addNextSigningKey(_ key: StoredSigningKey, event: SecurityEvent) async throws -> Bool {
        try await write { database in
            let waiting = try Row.fetchOne(
                database, cachedSQL: "SELECT 1 FROM signing_keys WHERE signs_from > ?", [key.createdAt.ms])
            guard waiting == nil else { return false }
            try insert(key, database)
            try insert(event, database)
            return true
        }
    }

    package func replaceSigningKeys(with key: StoredSigningKey, event: SecurityEvent) async throws {
        try await write { database in
            try database.run("DELETE FROM signing_keys")
            try insert(key, database)
            try insert(event, database)
        }
    }

    private func insert(_ key: StoredSigningKey, _ database: Database) throws {
        try database.run(
            "INSERT INTO signing_keys (id, sealed, created_at, signs_from) VALUES (?, ?, ?, ?)",
            [key.id, key.sealed.data, key.createdAt.ms, key.signsFrom.ms])
    }
}
