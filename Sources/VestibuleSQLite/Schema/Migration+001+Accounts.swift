extension Migration {
    /// Accounts, their sessions, and what else belongs to them.
    static let accounts = [
        """
        CREATE TABLE accounts (
            id TEXT PRIMARY KEY CHECK (id <> ''),
            email TEXT NOT NULL CHECK (email <> ''),
            email_key TEXT NOT NULL UNIQUE CHECK (email_key <> ''),
            display_name TEXT NOT NULL,
            password_hash TEXT CHECK (password_hash <> ''),
            locale TEXT NOT NULL CHECK (locale <> ''),
            terms_version TEXT,
            created_at INTEGER NOT NULL CHECK (created_at >= 0),
            verified_at INTEGER CHECK (verified_at >= 0),
            disabled_at INTEGER CHECK (disabled_at >= 0),
            browsers_known_since INTEGER CHECK (browsers_known_since >= 0)
        ) STRICT
        """,
        """
        CREATE TABLE consents (
            id TEXT PRIMARY KEY CHECK (id <> ''),
            account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            version TEXT NOT NULL,
            text_digest BLOB NOT NULL CHECK (length(text_digest) = 32),
            locale TEXT NOT NULL CHECK (locale <> ''),
            address TEXT NOT NULL,
            accepted_at INTEGER NOT NULL CHECK (accepted_at >= 0)
        ) STRICT
        """,
        "CREATE INDEX consents_by_account ON consents (account_id, accepted_at)",
        """
        CREATE TABLE identities (
            id TEXT PRIMARY KEY CHECK (id <> ''),
            account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            provider TEXT NOT NULL CHECK (provider <> ''),
            issuer TEXT NOT NULL CHECK (issuer <> ''),
            subject TEXT NOT NULL CHECK (subject <> ''),
            email TEXT,
            refresh_token BLOB CHECK (length(refresh_token) > 0),
            created_at INTEGER NOT NULL CHECK (created_at >= 0),
            last_used_at INTEGER CHECK (last_used_at >= created_at),
            UNIQUE (issuer, subject)
        ) STRICT
        """,
        "CREATE INDEX identities_by_account ON identities (account_id)",
        """
        CREATE TABLE password_times (
            account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
            set_at INTEGER CHECK (set_at >= 0),
            last_used_at INTEGER CHECK (last_used_at >= 0)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE email_undos (
            token BLOB PRIMARY KEY CHECK (length(token) = 32),
            account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            email TEXT NOT NULL CHECK (email <> ''),
            email_key TEXT NOT NULL CHECK (email_key <> ''),
            created_at INTEGER NOT NULL CHECK (created_at >= 0),
            expires_at INTEGER NOT NULL CHECK (expires_at >= created_at)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX email_undos_by_account ON email_undos (account_id)",
        "CREATE INDEX email_undos_by_expiry ON email_undos (expires_at)",
        """
        CREATE TABLE sign_in_summaries (
            account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
            since INTEGER NOT NULL CHECK (since >= 0),
            due_at INTEGER NOT NULL CHECK (due_at >= since)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX sign_in_summaries_by_due ON sign_in_summaries (due_at)",
        """
        CREATE TABLE sessions (
            id TEXT PRIMARY KEY CHECK (id <> ''),
            token_digest BLOB NOT NULL UNIQUE CHECK (length(token_digest) = 32),
            account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            created_at INTEGER NOT NULL CHECK (created_at >= 0),
            last_seen_at INTEGER NOT NULL CHECK (last_seen_at >= created_at),
            idle_ms INTEGER NOT NULL CHECK (idle_ms >= 0),
            expires_at INTEGER NOT NULL CHECK (expires_at >= created_at),
            remembered INTEGER NOT NULL CHECK (remembered IN (0, 1)),
            proved_at INTEGER NOT NULL CHECK (proved_at >= 0),
            proved_by TEXT NOT NULL DEFAULT 'password' CHECK (proved_by IN ('password', 'provider', 'passkey')),
            second_factor TEXT CHECK (second_factor IN ('passkey', 'totp', 'recovery_code')),
            awaits_terms INTEGER NOT NULL CHECK (awaits_terms IN (0, 1)),
            awaits_factor INTEGER NOT NULL DEFAULT 0 CHECK (awaits_factor IN (0, 1)),
            user_agent TEXT NOT NULL,
            address TEXT NOT NULL
        ) STRICT
        """,
        "CREATE INDEX sessions_by_account ON sessions (account_id, last_seen_at)",
        "CREATE INDEX sessions_by_expiry ON sessions (expires_at)",
    ]
}
