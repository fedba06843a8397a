import GRDB

extension Migration {
    /// Which servers share the database.
    static let nodes = Migration(
        "018 nodes",
        """
        CREATE TABLE nodes (
            id TEXT PRIMARY KEY CHECK (id <> ''),
            name TEXT NOT NULL CHECK (name <> ''),
            version TEXT NOT NULL CHECK (version <> ''),
            started_at INTEGER NOT NULL CHECK (started_at >= 0),
            last_seen_at INTEGER NOT NULL CHECK (last_seen_at >= started_at),
            key_id BLOB CHECK (length(key_id) = 4),
            previous_key_id BLOB CHECK (length(previous_key_id) = 4)
        ) STRICT, WITHOUT ROWID
        """
    )

    /// The first tables of nodes had longer names of secret keys in place of ids.
    static let nodeKeyIDs = Migration("019 ids of secret keys") { database in
        guard try database.columns(in: "nodes").contains(where: { $0.name == "key_name" }) else { return }
        // Each node writes its row again while it serves.
        try database.execute(sql: "DROP TABLE nodes")
        try nodes.run(database)
    }

    /// When passwords and identities were used last, and passwords set.
    static let useOfWays = Migration(
        "021 use of ways in",
        "ALTER TABLE identities ADD COLUMN last_used_at INTEGER CHECK (last_used_at >= created_at)",
        """
        CREATE TABLE password_times (
            account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
            set_at INTEGER CHECK (set_at >= 0),
            last_used_at INTEGER CHECK (last_used_at >= 0)
        ) STRICT, WITHOUT ROWID
        """
    )
}
