extension Migration {
    /// Mails, events, counters and what the server notes of itself.
    static let operation = mailsAndEvents + counters + notes

    private static let mailsAndEvents = [
        // `domain` is the server it goes to; `urgent` holds a code.
        """
        CREATE TABLE outbox (
            id TEXT PRIMARY KEY CHECK (id <> ''),
            sealed BLOB NOT NULL CHECK (length(sealed) > 0),
            created_at INTEGER NOT NULL CHECK (created_at >= 0),
            due_at INTEGER CHECK (due_at >= 0),
            attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
            failure TEXT,
            recipient BLOB CHECK (length(recipient) IN (0, 16)),
            domain BLOB CHECK (length(domain) IN (0, 16)),
            urgent INTEGER NOT NULL DEFAULT 0 CHECK (urgent IN (0, 1)),
            leased_by TEXT CHECK (leased_by <> ''),
            CHECK (leased_by IS NULL OR due_at IS NOT NULL)
        ) STRICT
        """,
        "CREATE INDEX outbox_by_due ON outbox (due_at) WHERE due_at IS NOT NULL",
        """
        CREATE TABLE security_events (
            id TEXT PRIMARY KEY CHECK (id <> ''),
            kind TEXT NOT NULL CHECK (length(kind) BETWEEN 1 AND 64),
            account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
            at INTEGER NOT NULL CHECK (at >= 0),
            address TEXT NOT NULL,
            user_agent TEXT NOT NULL,
            count INTEGER NOT NULL DEFAULT 1 CHECK (count >= 1)
        ) STRICT
        """,
        "CREATE INDEX security_events_by_account ON security_events (account_id, at)",
        "CREATE INDEX security_events_by_time ON security_events (at)",
        """
        CREATE INDEX security_events_told ON security_events (account_id, at)
        WHERE kind NOT IN ('login_failed', 'proof_failed', 'code_failed', 'password_rehashed')
        """,
    ]

    private static let counters = [
        // `hour` is that of the last failure, since 1970, and `in_hour` how many there were in it.
        // A key of 2 bytes is shared by addresses without an account.
        """
        CREATE TABLE login_failures (
            key BLOB PRIMARY KEY CHECK (length(key) IN (2, 16)),
            count INTEGER NOT NULL CHECK (count >= 1),
            last_at INTEGER NOT NULL CHECK (last_at >= 0),
            hour INTEGER NOT NULL DEFAULT 0 CHECK (hour >= 0),
            in_hour INTEGER NOT NULL DEFAULT 0 CHECK (in_hour BETWEEN 0 AND count)
        ) STRICT, WITHOUT ROWID
        """,
        // `burst`: how far ahead a counter may run, in milliseconds; NULL for one that is never
        // dropped to make room.
        """
        CREATE TABLE rate_limits (
            key BLOB PRIMARY KEY CHECK (length(key) = 16),
            arrival INTEGER NOT NULL,
            burst INTEGER CHECK (burst > 0)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX rate_limits_by_arrival ON rate_limits (arrival)",
        // Wrong codes of the whole site, by the hour since 1970.
        """
        CREATE TABLE wrong_codes (
            hour INTEGER PRIMARY KEY CHECK (hour >= 0),
            count INTEGER NOT NULL CHECK (count >= 1)
        ) STRICT
        """,
    ]

    private static let notes = [
        """
        CREATE TABLE used_tokens (
            digest BLOB PRIMARY KEY CHECK (length(digest) = 32),
            expires_at INTEGER NOT NULL CHECK (expires_at >= 0)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX used_tokens_by_expiry ON used_tokens (expires_at)",
        """
        CREATE TABLE heartbeat (one INTEGER PRIMARY KEY CHECK (one = 1), at INTEGER NOT NULL CHECK (at >= 0)) STRICT
        """,
        // Tells this database from another one at the same path. A copy has the same id.
        """
        CREATE TABLE database_id (one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL CHECK (length(id) = 32)) STRICT
        """,
        "INSERT INTO database_id (one, id) VALUES (1, lower(hex(randomblob(16))))",
        // Which servers share the database.
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
        """,
    ]
}
