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
}
