extension Migration {
    /// Mails, events, counters and what the server notes of itself.
    static let operation = mailsAndEvents + counters + notes

    /// `number` tells which row is newer.
    private static let mailsAndEvents = [
        """
        CREATE TABLE outbox (
            id text COLLATE "C" PRIMARY KEY CHECK (id <> ''),
            sealed bytea NOT NULL CHECK (length(sealed) > 0),
            created_at bigint NOT NULL CHECK (created_at >= 0),
            due_at bigint CHECK (due_at >= 0),
            attempts bigint NOT NULL DEFAULT 0 CHECK (attempts >= 0),
            failure text,
            recipient bytea CHECK (length(recipient) IN (0, 16)),
            domain bytea CHECK (length(domain) IN (0, 16)),
            urgent boolean NOT NULL DEFAULT false,
            leased_by text COLLATE "C" CHECK (leased_by <> ''),
            number bigint GENERATED ALWAYS AS IDENTITY,
            CHECK (leased_by IS NULL OR due_at IS NOT NULL)
        )
        """,
        "CREATE INDEX outbox_by_due ON outbox (due_at) WHERE due_at IS NOT NULL",
        """
        CREATE TABLE security_events (
            id text COLLATE "C" PRIMARY KEY CHECK (id <> ''),
            kind text COLLATE "C" NOT NULL CHECK (length(kind) BETWEEN 1 AND 64),
            account_id text COLLATE "C" REFERENCES accounts (id) ON DELETE CASCADE,
            at bigint NOT NULL CHECK (at >= 0),
            address text NOT NULL,
            user_agent text NOT NULL,
            count bigint NOT NULL DEFAULT 1 CHECK (count >= 1),
            number bigint GENERATED ALWAYS AS IDENTITY
        )
        """,
        "CREATE INDEX security_events_by_account ON security_events (account_id, at, number)",
        "CREATE INDEX security_events_by_time ON security_events (at, number)",
        """
        CREATE INDEX security_events_told ON security_events (account_id, at, number)
        WHERE kind NOT IN ('login_failed', 'proof_failed', 'code_failed', 'password_rehashed')
        """,
    ]

    /// Rows that are written again and again: their pages have room, and no index holds what
    /// changes (HOT).
    private static let counters = [
        // A key of 2 bytes is shared by addresses without an account.
        """
        CREATE TABLE login_failures (
            key bytea PRIMARY KEY CHECK (length(key) IN (2, 16)),
            count bigint NOT NULL CHECK (count >= 1),
            last_at bigint NOT NULL CHECK (last_at >= 0),
            hour bigint NOT NULL DEFAULT 0 CHECK (hour >= 0),
            in_hour bigint NOT NULL DEFAULT 0 CHECK (in_hour BETWEEN 0 AND count)
        ) WITH (fillfactor = 70)
        """,
        // `burst`: how far ahead a counter may run, in milliseconds; NULL for one that is never
        // dropped to make room.
        """
        CREATE TABLE rate_limits (
            key bytea PRIMARY KEY CHECK (length(key) = 16),
            arrival bigint NOT NULL,
            burst bigint CHECK (burst > 0)
        ) WITH (fillfactor = 70)
        """,
        // Wrong codes of the whole site, by the hour since 1970.
        """
        CREATE TABLE wrong_codes (
            hour bigint PRIMARY KEY CHECK (hour >= 0),
            count bigint NOT NULL CHECK (count >= 1)
        )
        """,
    ]

    private static let notes = [
        """
        CREATE TABLE used_tokens (
            digest bytea PRIMARY KEY CHECK (length(digest) = 32),
            expires_at bigint NOT NULL CHECK (expires_at >= 0)
        )
        """,
        "CREATE INDEX used_tokens_by_expiry ON used_tokens (expires_at)",
        "CREATE TABLE heartbeat (one bigint PRIMARY KEY CHECK (one = 1), at bigint NOT NULL CHECK (at >= 0))",
        // Tells this database from another one at the same address. A copy has the same id.
        """
        CREATE TABLE database_id (
            one bigint PRIMARY KEY CHECK (one = 1),
            id text COLLATE "C" NOT NULL CHECK (length(id) = 32)
        )
        """,
        "INSERT INTO database_id (one, id) VALUES (1, replace(gen_random_uuid()::text, '-', ''))",
    ]
}
