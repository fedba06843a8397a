extension Migration {
    static let frontDoor = Migration(
        "001 front door",
        """
        CREATE TABLE accounts (
            id TEXT PRIMARY KEY,
            email TEXT NOT NULL,
            email_key TEXT NOT NULL UNIQUE,
            display_name TEXT NOT NULL,
            password_hash TEXT,
            locale TEXT NOT NULL,
            terms_version TEXT,
            created_at INTEGER NOT NULL,
            verified_at INTEGER,
            disabled_at INTEGER
        ) STRICT
        """,
        """
        CREATE TABLE consents (
            id TEXT PRIMARY KEY,
            account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            version TEXT NOT NULL,
            text_digest BLOB NOT NULL,
            locale TEXT NOT NULL,
            address TEXT NOT NULL,
            accepted_at INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX consents_by_account ON consents (account_id, accepted_at)",
        """
        CREATE TABLE pending_signups (
            flow BLOB PRIMARY KEY,
            display_name TEXT NOT NULL,
            email TEXT NOT NULL,
            email_key TEXT NOT NULL,
            password_hash TEXT NOT NULL,
            code_digest BLOB NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0,
            code_expires_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            consent_id TEXT NOT NULL,
            terms_version TEXT NOT NULL,
            terms_digest BLOB NOT NULL,
            consented_at INTEGER NOT NULL,
            locale TEXT NOT NULL,
            address TEXT NOT NULL,
            return_to TEXT
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX pending_signups_by_email ON pending_signups (email_key)",
        "CREATE INDEX pending_signups_by_expiry ON pending_signups (expires_at)",
        """
        CREATE TABLE sessions (
            id TEXT PRIMARY KEY,
            token_digest BLOB NOT NULL UNIQUE,
            account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            created_at INTEGER NOT NULL,
            last_seen_at INTEGER NOT NULL,
            idle_ms INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            remembered INTEGER NOT NULL,
            proved_at INTEGER NOT NULL,
            awaits_terms INTEGER NOT NULL,
            user_agent TEXT NOT NULL,
            address TEXT NOT NULL
        ) STRICT
        """,
        "CREATE INDEX sessions_by_account ON sessions (account_id, last_seen_at)",
        "CREATE INDEX sessions_by_expiry ON sessions (expires_at)",
        """
        CREATE TABLE login_failures (
            key BLOB PRIMARY KEY,
            count INTEGER NOT NULL,
            last_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE security_events (
            id TEXT PRIMARY KEY,
            kind TEXT NOT NULL,
            account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
            at INTEGER NOT NULL,
            address TEXT NOT NULL,
            user_agent TEXT NOT NULL
        ) STRICT
        """,
        "CREATE INDEX security_events_by_account ON security_events (account_id, at)",
        "CREATE INDEX security_events_by_time ON security_events (at)",
        """
        CREATE TABLE outbox (
            id TEXT PRIMARY KEY,
            sealed BLOB NOT NULL,
            created_at INTEGER NOT NULL,
            due_at INTEGER,
            attempts INTEGER NOT NULL DEFAULT 0,
            leased INTEGER NOT NULL DEFAULT 0,
            failure TEXT
        ) STRICT
        """,
        "CREATE INDEX outbox_by_due ON outbox (due_at) WHERE due_at IS NOT NULL",
        """
        CREATE TABLE rate_limits (
            key BLOB PRIMARY KEY,
            arrival INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX rate_limits_by_arrival ON rate_limits (arrival)",
        "CREATE TABLE heartbeat (one INTEGER PRIMARY KEY CHECK (one = 1), at INTEGER NOT NULL) STRICT"
    )
}
