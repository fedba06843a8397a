extension Migration {
    /// What applications behind this site are told by, and who enters them.
    static let applications = [
        """
        CREATE TABLE application_sessions (
            token_digest BYTEA PRIMARY KEY CHECK (length(token_digest) = 32),
            session_id TEXT COLLATE "C" NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
            account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            origin TEXT COLLATE "C" NOT NULL CHECK (origin <> ''),
            entered_at BIGINT NOT NULL CHECK (entered_at >= 0),
            UNIQUE (session_id, origin)
        )
        """,
        "CREATE INDEX application_sessions_by_account ON application_sessions (account_id)",
        """
        CREATE TABLE handover_tickets (
            digest BYTEA PRIMARY KEY CHECK (length(digest) = 32),
            session_id TEXT COLLATE "C" NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
            account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            origin TEXT COLLATE "C" NOT NULL CHECK (origin <> ''),
            browser BYTEA NOT NULL CHECK (length(browser) = 32),
            target TEXT NOT NULL CHECK (target LIKE '/%'),
            is_retry BOOLEAN NOT NULL,
            expires_at BIGINT NOT NULL CHECK (expires_at >= 0),
            session_token BYTEA CHECK (length(session_token) = 32)
        )
        """,
        "CREATE INDEX handover_tickets_by_session ON handover_tickets (session_id)",
        "CREATE INDEX handover_tickets_by_account ON handover_tickets (account_id)",
        "CREATE INDEX handover_tickets_by_expiry ON handover_tickets (expires_at)",
        """
        CREATE TABLE signing_keys (
            id TEXT COLLATE "C" PRIMARY KEY CHECK (length(id) = 43),
            sealed BYTEA NOT NULL CHECK (length(sealed) > 0),
            created_at BIGINT NOT NULL CHECK (created_at >= 0),
            signs_from BIGINT NOT NULL UNIQUE CHECK (signs_from >= created_at)
        )
        """,
        """
        CREATE TABLE account_groups (
            account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            name TEXT COLLATE "C" NOT NULL CHECK (length(name) BETWEEN 1 AND 64) CHECK (name !~ '[^A-Za-z0-9_.-]'),
            PRIMARY KEY (account_id, name)
        )
        """,
        """
        CREATE TABLE machine_tokens (
            id TEXT COLLATE "C" PRIMARY KEY CHECK (id <> ''),
            digest BYTEA NOT NULL UNIQUE CHECK (length(digest) = 32),
            application TEXT COLLATE "C" NOT NULL CHECK (application <> ''),
            label TEXT NOT NULL CHECK (label <> ''),
            created_at BIGINT NOT NULL CHECK (created_at >= 0),
            expires_at BIGINT CHECK (expires_at >= created_at),
            last_used_at BIGINT CHECK (last_used_at >= 0)
        )
        """,
        "CREATE INDEX machine_tokens_by_expiry ON machine_tokens (expires_at) WHERE expires_at IS NOT NULL",
    ]
}
