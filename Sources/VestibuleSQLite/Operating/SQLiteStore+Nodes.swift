import Essentials
package import Foundation
import GRDB
package import Vestibule

extension SQLiteStore {
    package func noteNode(_ node: Node, now: Date) async throws {
        try await writeRelaxed { database in
            try database.run(
                """
                INSERT INTO nodes (id, name, version, started_at, last_seen_at, key_id, previous_key_id)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET last_seen_at = max(last_seen_at, excluded.last_seen_at)
                """,
                [
                    node.id, node.name, node.version, node.startedAt.ms, max(node.startedAt.ms, now.ms),
                    node.keys?.current.data, node.keys?.previous?.data,
                ])
        }
    }

    package func removeNode(id: String) async throws {
        try await writeRelaxed { try $0.run("DELETE FROM nodes WHERE id = ?", [id]) }
    }

    package func nodes() async throws -> [NodeRecord] {
        try await read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM nodes ORDER BY name, started_at, id")
                .map(NodeRecord.init(row:))
        }
    }
}

extension NodeRecord {
    fileprivate init(row: Row) {
        let keys = (row["key_id"] as Data?).map { current in
            NodeKeys(current: [UInt8](current), previous: (row["previous_key_id"] as Data?).map { [UInt8]($0) })
        }
        self.init(
            node: Node(
                id: row["id"], name: row["name"], version: row["version"], startedAt: row.date("started_at"),
                keys: keys),
            lastSeenAt: row.date("last_seen_at"))
    }
}
