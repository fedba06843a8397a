import Essentials
package import Foundation
package import Vestibule

extension SQLStore {
    package func noteNode(_ node: Node, now: Date) async throws {
        try await write(.relaxed) { try note(node, now, $0) }
    }

    package func note(_ node: Node, _ now: Date, _ connection: Connection) throws {
        try connection.later(
            """
            INSERT INTO nodes (id, name, version, started_at, last_seen_at, key_id, previous_key_id)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (id) DO UPDATE SET last_seen_at = greatest(nodes.last_seen_at, excluded.last_seen_at)
            """,
            [
                node.id, node.name, node.version, node.startedAt.ms, max(node.startedAt.ms, now.ms),
                node.keys?.current, node.keys?.previous,
            ])
    }

    package func removeNode(id: String) async throws {
        try await change(.relaxed, "DELETE FROM nodes WHERE id = $1", [id])
    }

    package func nodes() async throws -> [NodeRecord] {
        try await select(
            """
            SELECT id, name, version, started_at, last_seen_at, key_id, previous_key_id FROM nodes
            ORDER BY name, started_at, id
            """, [], NodeRecord.init(row:))
    }
}

extension NodeRecord {
    fileprivate init(row: some SQLRow) throws {
        let previous: [UInt8]? = try row["previous_key_id"]
        let keys = (try row["key_id"] as [UInt8]?).map { NodeKeys(current: $0, previous: previous) }
        self.init(
            node: Node(
                id: try row["id"], name: try row["name"], version: try row["version"],
                startedAt: try row.date("started_at"), keys: keys),
            lastSeenAt: try row.date("last_seen_at"))
    }
}
