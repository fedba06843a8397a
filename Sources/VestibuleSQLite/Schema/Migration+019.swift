import GRDB

extension Migration {
    /// The first tables of nodes had longer names of secret keys in place of ids.
    static let nodeKeyIDs = Migration("019 ids of secret keys") { database in
        guard try database.columns(in: "nodes").contains(where: { $0.name == "key_name" }) else { return }
        // Each node writes its row again while it serves.
        try database.execute(sql: "DROP TABLE nodes")
        try nodes.run(database)
    }
}
