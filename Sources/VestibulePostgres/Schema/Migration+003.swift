extension Migration {
    /// The first tables of nodes had longer names of secret keys in place of ids.
    static let nodeKeyIDs = Migration(
        number: 3, name: "ids of secret keys",
        statements: ["key_id", "previous_key_id"].map { column in
            "ALTER TABLE nodes ADD COLUMN IF NOT EXISTS \(column) bytea CHECK (length(\(column)) = 4)"
        })
}
