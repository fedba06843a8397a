extension Migration {
    /// What applications behind this site are told by.
    static let signingKeysGroupsTokens = Migration(
        "016 signing keys, groups, tokens",
        """
        CREATE TABLE signing_keys (
            id TEXT PRIMARY KEY CHECK (length(id) = 43),
            sealed BLOB NOT NULL CHECK (length(sealed) > 0),
            created_at INTEGER NOT NULL CHECK (created_at >= 0),
            signs_from INTEGER NOT NULL UNIQUE CHECK (signs_from >= created_at)
        ) STRICT
        """,
        """
        CREATE TABLE account_groups (
            account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64) CHECK (name NOT GLOB '*[^A-Za-z0-9_.-]*'),
            PRIMARY KEY (account_id, name)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE machine_tokens (
            id TEXT PRIMARY KEY CHECK (id <> ''),
            digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
            application TEXT NOT NULL CHECK (application <> ''),
            label TEXT NOT NULL CHECK (label <> ''),
            created_at INTEGER NOT NULL CHECK (created_at >= 0),
            expires_at INTEGER CHECK (expires_at >= created_at),
            last_used_at INTEGER CHECK (last_used_at >= 0)
        ) STRICT
        """,
        "CREATE INDEX machine_tokens_by_expiry ON machine_tokens (expires_at) WHERE expires_at IS NOT NULL"
    )
}
