extension Migration {
    /// No index holds `last_seen_at`, and pages have room: so noting that a session was seen writes
    /// one row and no index (HOT).
    static let sessions = [
        """
        CREATE TABLE sessions (
            id text COLLATE "C" PRIMARY KEY CHECK (id <> ''),
            token_digest bytea NOT NULL UNIQUE CHECK (length(token_digest) = 32),
            account_id text COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            created_at bigint NOT NULL CHECK (created_at >= 0),
            last_seen_at bigint NOT NULL CHECK (last_seen_at >= created_at),
            idle_ms bigint NOT NULL CHECK (idle_ms >= 0),
            expires_at bigint NOT NULL CHECK (expires_at >= created_at),
            remembered boolean NOT NULL,
            proved_at bigint NOT NULL CHECK (proved_at >= 0),
            proved_by text NOT NULL DEFAULT 'password' CHECK (proved_by IN ('password', 'provider', 'passkey')),
            second_factor text CHECK (second_factor IN ('passkey', 'totp', 'recovery_code')),
            awaits_terms boolean NOT NULL,
            awaits_factor boolean NOT NULL DEFAULT false,
            user_agent text NOT NULL,
            address text NOT NULL
        ) WITH (fillfactor = 85)
        """,
        "CREATE INDEX sessions_by_account ON sessions (account_id)",
        "CREATE INDEX sessions_by_expiry ON sessions (expires_at)",
    ]
}
