extension TableRebuild {
    /// Accounts and what belongs to them.
    static let accounts = [
        TableRebuild(
            "accounts", unfit: .refused,
            """
            (
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
            """),
        TableRebuild(
            "consents", unfit: .refused,
            """
            (
                id TEXT PRIMARY KEY CHECK (id <> ''),
                account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                version TEXT NOT NULL,
                text_digest BLOB NOT NULL CHECK (length(text_digest) = 32),
                locale TEXT NOT NULL CHECK (locale <> ''),
                address TEXT NOT NULL,
                accepted_at INTEGER NOT NULL CHECK (accepted_at >= 0)
            ) STRICT
            """),
        TableRebuild(
            "identities", unfit: .refused,
            """
            (
                id TEXT PRIMARY KEY CHECK (id <> ''),
                account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                provider TEXT NOT NULL CHECK (provider <> ''),
                issuer TEXT NOT NULL CHECK (issuer <> ''),
                subject TEXT NOT NULL CHECK (subject <> ''),
                email TEXT,
                refresh_token BLOB CHECK (length(refresh_token) > 0),
                created_at INTEGER NOT NULL CHECK (created_at >= 0),
                UNIQUE (issuer, subject)
            ) STRICT
            """),
        TableRebuild(
            "email_undos", unfit: .refused,
            """
            (
                token BLOB PRIMARY KEY CHECK (length(token) = 32),
                account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                email TEXT NOT NULL CHECK (email <> ''),
                email_key TEXT NOT NULL CHECK (email_key <> ''),
                created_at INTEGER NOT NULL CHECK (created_at >= 0),
                expires_at INTEGER NOT NULL CHECK (expires_at >= created_at)
            ) STRICT, WITHOUT ROWID
            """),
        TableRebuild(
            "sessions", unfit: .dropped,
            """
            (
                id TEXT PRIMARY KEY CHECK (id <> ''),
                token_digest BLOB NOT NULL UNIQUE CHECK (length(token_digest) = 32),
                account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                created_at INTEGER NOT NULL CHECK (created_at >= 0),
                last_seen_at INTEGER NOT NULL CHECK (last_seen_at >= created_at),
                idle_ms INTEGER NOT NULL CHECK (idle_ms >= 0),
                expires_at INTEGER NOT NULL CHECK (expires_at >= created_at),
                remembered INTEGER NOT NULL CHECK (remembered IN (0, 1)),
                proved_at INTEGER NOT NULL CHECK (proved_at >= 0),
                proved_by TEXT NOT NULL DEFAULT 'password' CHECK (proved_by IN ('password', 'provider')),
                awaits_terms INTEGER NOT NULL CHECK (awaits_terms IN (0, 1)),
                user_agent TEXT NOT NULL,
                address TEXT NOT NULL
            ) STRICT
            """),
        TableRebuild(
            "sign_in_summaries", unfit: .dropped,
            """
            (
                account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
                since INTEGER NOT NULL CHECK (since >= 0),
                due_at INTEGER NOT NULL CHECK (due_at >= since)
            ) STRICT, WITHOUT ROWID
            """),
    ]
}
