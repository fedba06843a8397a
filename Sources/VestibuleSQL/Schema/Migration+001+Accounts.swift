extension Migration {
    /// Accounts, their sessions, and what else belongs to them.
    static let accounts = [
        """
        CREATE TABLE accounts (
            id TEXT COLLATE "C" PRIMARY KEY CHECK (id <> ''),
            email TEXT NOT NULL CHECK (email <> ''),
            email_key TEXT COLLATE "C" NOT NULL UNIQUE CHECK (email_key <> ''),
            display_name TEXT NOT NULL,
            password_hash TEXT CHECK (password_hash <> ''),
            locale TEXT NOT NULL CHECK (locale <> ''),
            terms_version TEXT,
            created_at BIGINT NOT NULL CHECK (created_at >= 0),
            verified_at BIGINT CHECK (verified_at >= 0),
            disabled_at BIGINT CHECK (disabled_at >= 0),
            browsers_known_since BIGINT CHECK (browsers_known_since >= 0)
        )
        """,
        """
        CREATE TABLE consents (
            id TEXT COLLATE "C" PRIMARY KEY CHECK (id <> ''),
            account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            version TEXT NOT NULL,
            text_digest BYTEA NOT NULL CHECK (length(text_digest) = 32),
            locale TEXT NOT NULL CHECK (locale <> ''),
            address TEXT NOT NULL,
            accepted_at BIGINT NOT NULL CHECK (accepted_at >= 0)
        )
        """,
        "CREATE INDEX consents_by_account ON consents (account_id, accepted_at)",
        """
        CREATE TABLE identities (
            id TEXT COLLATE "C" PRIMARY KEY CHECK (id <> ''),
            account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            provider TEXT COLLATE "C" NOT NULL CHECK (provider <> ''),
            issuer TEXT COLLATE "C" NOT NULL CHECK (issuer <> ''),
            subject TEXT COLLATE "C" NOT NULL CHECK (subject <> ''),
            email TEXT,
            refresh_token BYTEA CHECK (length(refresh_token) > 0),
            created_at BIGINT NOT NULL CHECK (created_at >= 0),
            last_used_at BIGINT CHECK (last_used_at >= created_at),
            UNIQUE (issuer, subject)
        )
        """,
        "CREATE INDEX identities_by_account ON identities (account_id)",
        """
        CREATE TABLE password_times (
            account_id TEXT COLLATE "C" PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
            set_at BIGINT CHECK (set_at >= 0),
            last_used_at BIGINT CHECK (last_used_at >= 0)
        )
        """,
        """
        CREATE TABLE email_undos (
            token BYTEA PRIMARY KEY CHECK (length(token) = 32),
            account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            email TEXT NOT NULL CHECK (email <> ''),
            email_key TEXT COLLATE "C" NOT NULL CHECK (email_key <> ''),
            created_at BIGINT NOT NULL CHECK (created_at >= 0),
            expires_at BIGINT NOT NULL CHECK (expires_at >= created_at)
        )
        """,
        "CREATE INDEX email_undos_by_account ON email_undos (account_id)",
        "CREATE INDEX email_undos_by_expiry ON email_undos (expires_at)",
        """
        CREATE TABLE sign_in_summaries (
            account_id TEXT COLLATE "C" PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
            since BIGINT NOT NULL CHECK (since >= 0),
            due_at BIGINT NOT NULL CHECK (due_at >= since)
        )
        """,
        "CREATE INDEX sign_in_summaries_by_due ON sign_in_summaries (due_at)",
        """
        CREATE TABLE sessions (
            id TEXT COLLATE "C" PRIMARY KEY CHECK (id <> ''),
            token_digest BYTEA NOT NULL UNIQUE CHECK (length(token_digest) = 32),
            account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            created_at BIGINT NOT NULL CHECK (created_at >= 0),
            last_seen_at BIGINT NOT NULL CHECK (last_seen_at >= created_at),
            idle_ms BIGINT NOT NULL CHECK (idle_ms >= 0),
            expires_at BIGINT NOT NULL CHECK (expires_at >= created_at),
            remembered BOOLEAN NOT NULL,
            proved_at BIGINT NOT NULL CHECK (proved_at >= 0),
            proved_by TEXT NOT NULL DEFAULT 'password' CHECK (proved_by IN ('password', 'provider', 'passkey')),
            second_factor TEXT CHECK (second_factor <> ''),
            awaits_terms BOOLEAN NOT NULL,
            awaits_factor BOOLEAN NOT NULL DEFAULT false,
            user_agent TEXT NOT NULL,
            address TEXT NOT NULL
        )
        """,
        "CREATE INDEX sessions_by_expiry ON sessions (expires_at)",
    ]
}
