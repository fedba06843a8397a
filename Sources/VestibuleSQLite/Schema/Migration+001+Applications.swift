extension Migration {
    /// What applications behind this site are told by, and who enters them.
    static let applications = [
        """
        CREATE TABLE application_sessions (
            token_digest BLOB PRIMARY KEY CHECK (length(token_digest) = 32),
            session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
            account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            origin TEXT NOT NULL CHECK (origin <> ''),
            entered_at INTEGER NOT NULL CHECK (entered_at >= 0),
            UNIQUE (session_id, origin)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX application_sessions_by_account ON application_sessions (account_id)",
        """
        CREATE TABLE handover_tickets (
            digest BLOB PRIMARY KEY CHECK (length(digest) = 32),
            session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
            account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            origin TEXT NOT NULL CHECK (origin <> ''),
            browser BLOB NOT NULL CHECK (length(browser) = 32),
            target TEXT NOT NULL CHECK (target LIKE '/%'),
            is_retry INTEGER NOT NULL CHECK (is_retry IN (0, 1)),
            expires_at INTEGER NOT NULL CHECK (expires_at >= 0),
            session_token BLOB CHECK (length(session_token) = 32)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX handover_tickets_by_session ON handover_tickets (session_id)",
        "CREATE INDEX handover_tickets_by_account ON handover_tickets (account_id)",
        "CREATE INDEX handover_tickets_by_expiry ON handover_tickets (expires_at)",
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
        "CREATE INDEX machine_tokens_by_expiry ON machine_tokens (expires_at) WHERE expires_at IS NOT NULL",
    ]
}
