extension Migration {
    /// Mails, events, counters and what the server notes of itself.
    static let operation = [
        // `domain` is the server it goes to; `urgent` holds a code; `number` tells which row is
        // newer.
        """
        CREATE TABLE outbox (
            id TEXT COLLATE "C" PRIMARY KEY CHECK (id <> ''),
            sealed BYTEA NOT NULL CHECK (length(sealed) > 0),
            created_at BIGINT NOT NULL CHECK (created_at >= 0),
            due_at BIGINT CHECK (due_at >= 0),
            attempts BIGINT NOT NULL DEFAULT 0 CHECK (attempts >= 0),
            failure TEXT,
            recipient BYTEA CHECK (length(recipient) IN (0, 16)),
            domain BYTEA CHECK (length(domain) IN (0, 16)),
            urgent BOOLEAN NOT NULL DEFAULT false,
            leased_by TEXT COLLATE "C" CHECK (leased_by <> ''),
            number BIGINT GENERATED ALWAYS AS IDENTITY,
            CHECK (leased_by IS NULL OR due_at IS NOT NULL)
        )
        """,
        "CREATE INDEX outbox_by_due ON outbox (due_at) WHERE due_at IS NOT NULL",
        """
        CREATE INDEX outbox_by_turn ON outbox ((
            CASE WHEN attempts > 3 OR attempts > 0 AND failure IS NOT NULL THEN 2 ELSE 0 END
            + CASE WHEN urgent THEN 0 ELSE 1 END
        ), due_at) WHERE due_at IS NOT NULL
        """,
        """
        CREATE TABLE security_events (
            id TEXT COLLATE "C" PRIMARY KEY CHECK (id <> ''),
            kind TEXT COLLATE "C" NOT NULL CHECK (length(kind) BETWEEN 1 AND 64),
            account_id TEXT COLLATE "C" REFERENCES accounts (id) ON DELETE CASCADE,
            at BIGINT NOT NULL CHECK (at >= 0),
            address TEXT NOT NULL,
            user_agent TEXT NOT NULL,
            number BIGINT GENERATED ALWAYS AS IDENTITY,
            count BIGINT NOT NULL DEFAULT 1 CHECK (count >= 1)
        )
        """,
        "CREATE INDEX security_events_by_account ON security_events (account_id, at, number)",
        "CREATE INDEX security_events_by_time ON security_events (at, number)",
        """
        CREATE INDEX security_events_told ON security_events (account_id, at, number)
        WHERE kind NOT IN ('login_failed', 'proof_failed', 'code_failed', 'password_rehashed')
        """,
        // `hour` is that of the last failure, since 1970, and `in_hour` how many there were in it.
        // A key of 2 bytes is shared by addresses without an account.
        """
        CREATE TABLE login_failures (
            key BYTEA PRIMARY KEY CHECK (length(key) IN (2, 16)),
            count BIGINT NOT NULL CHECK (count >= 1),
            last_at BIGINT NOT NULL CHECK (last_at >= 0),
            hour BIGINT NOT NULL DEFAULT 0 CHECK (hour >= 0),
            in_hour BIGINT NOT NULL DEFAULT 0 CHECK (in_hour BETWEEN 0 AND count)
        )
        """,
        // `burst`: how far ahead a counter may run, in milliseconds; NULL for one that is never
        // dropped to make room.
        """
        CREATE TABLE rate_limits (
            key BYTEA PRIMARY KEY CHECK (length(key) = 16),
            arrival BIGINT NOT NULL,
            burst BIGINT CHECK (burst > 0)
        )
        """,
        // Wrong codes of the whole site, by the hour since 1970.
        """
        CREATE TABLE wrong_codes (
            hour BIGINT PRIMARY KEY CHECK (hour >= 0),
            count BIGINT NOT NULL CHECK (count >= 1)
        )
        """,
        """
        CREATE TABLE used_tokens (
            digest BYTEA PRIMARY KEY CHECK (length(digest) = 32),
            expires_at BIGINT NOT NULL CHECK (expires_at >= 0)
        )
        """,
        "CREATE INDEX used_tokens_by_expiry ON used_tokens (expires_at)",
        "CREATE TABLE heartbeat (one BIGINT PRIMARY KEY CHECK (one = 1), at BIGINT NOT NULL CHECK (at >= 0))",
        // Tells this database from another one at the same address. A copy has the same id.
        """
        CREATE TABLE database_id (
            one BIGINT PRIMARY KEY CHECK (one = 1),
            id TEXT COLLATE "C" NOT NULL CHECK (length(id) = 32)
        )
        """,
        "INSERT INTO database_id (one, id) VALUES (1, replace(gen_random_uuid()::text, '-', ''))",
        // Which servers share the database.
        """
        CREATE TABLE nodes (
            id TEXT COLLATE "C" PRIMARY KEY CHECK (id <> ''),
            name TEXT COLLATE "C" NOT NULL CHECK (name <> ''),
            version TEXT NOT NULL CHECK (version <> ''),
            started_at BIGINT NOT NULL CHECK (started_at >= 0),
            last_seen_at BIGINT NOT NULL CHECK (last_seen_at >= started_at),
            key_id BYTEA CHECK (length(key_id) = 4),
            previous_key_id BYTEA CHECK (length(previous_key_id) = 4)
        )
        """,
    ]
}
