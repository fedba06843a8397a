extension Migration {
    /// Accounts and what belongs to them.
    static let accounts = [
        """
        CREATE TABLE accounts (
            id text COLLATE "C" PRIMARY KEY CHECK (id <> ''),
            email text NOT NULL CHECK (email <> ''),
            email_key text COLLATE "C" NOT NULL UNIQUE CHECK (email_key <> ''),
            display_name text NOT NULL,
            password_hash text CHECK (password_hash <> ''),
            locale text NOT NULL CHECK (locale <> ''),
            terms_version text,
            created_at bigint NOT NULL CHECK (created_at >= 0),
            verified_at bigint CHECK (verified_at >= 0),
            disabled_at bigint CHECK (disabled_at >= 0),
            browsers_known_since bigint CHECK (browsers_known_since >= 0)
        )
        """,
        """
        CREATE TABLE consents (
            id text COLLATE "C" PRIMARY KEY CHECK (id <> ''),
            account_id text COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            version text NOT NULL,
            text_digest bytea NOT NULL CHECK (length(text_digest) = 32),
            locale text NOT NULL CHECK (locale <> ''),
            address text NOT NULL,
            accepted_at bigint NOT NULL CHECK (accepted_at >= 0)
        )
        """,
        "CREATE INDEX consents_by_account ON consents (account_id, accepted_at)",
        """
        CREATE TABLE identities (
            id text COLLATE "C" PRIMARY KEY CHECK (id <> ''),
            account_id text COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            provider text COLLATE "C" NOT NULL CHECK (provider <> ''),
            issuer text COLLATE "C" NOT NULL CHECK (issuer <> ''),
            subject text COLLATE "C" NOT NULL CHECK (subject <> ''),
            email text,
            refresh_token bytea CHECK (length(refresh_token) > 0),
            created_at bigint NOT NULL CHECK (created_at >= 0),
            last_used_at bigint CHECK (last_used_at >= created_at),
            UNIQUE (issuer, subject)
        )
        """,
        "CREATE INDEX identities_by_account ON identities (account_id)",
        """
        CREATE TABLE password_times (
            account_id text COLLATE "C" PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
            set_at bigint CHECK (set_at >= 0),
            last_used_at bigint CHECK (last_used_at >= 0)
        )
        """,
        """
        CREATE TABLE email_undos (
            token bytea PRIMARY KEY CHECK (length(token) = 32),
            account_id text COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            email text NOT NULL CHECK (email <> ''),
            email_key text COLLATE "C" NOT NULL CHECK (email_key <> ''),
            created_at bigint NOT NULL CHECK (created_at >= 0),
            expires_at bigint NOT NULL CHECK (expires_at >= created_at)
        )
        """,
        "CREATE INDEX email_undos_by_account ON email_undos (account_id)",
        "CREATE INDEX email_undos_by_expiry ON email_undos (expires_at)",
        """
        CREATE TABLE sign_in_summaries (
            account_id text COLLATE "C" PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
            since bigint NOT NULL CHECK (since >= 0),
            due_at bigint NOT NULL CHECK (due_at >= since)
        )
        """,
        "CREATE INDEX sign_in_summaries_by_due ON sign_in_summaries (due_at)",
    ]
}
