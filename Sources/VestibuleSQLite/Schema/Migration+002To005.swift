extension Migration {
    static let passwordReset = Migration(
        "002 password reset",
        """
        CREATE TABLE pending_resets (
            flow BLOB PRIMARY KEY,
            email TEXT NOT NULL,
            email_key TEXT NOT NULL,
            code_digest BLOB NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0,
            code_expires_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            locale TEXT NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX pending_resets_by_email ON pending_resets (email_key)",
        "CREATE INDEX pending_resets_by_expiry ON pending_resets (expires_at)"
    )

    static let accountLife = Migration(
        "003 account life",
        """
        CREATE TABLE pending_email_changes (
            flow BLOB PRIMARY KEY,
            account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            email TEXT NOT NULL,
            email_key TEXT NOT NULL,
            code_digest BLOB NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0,
            code_expires_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX pending_email_changes_by_account ON pending_email_changes (account_id)",
        "CREATE INDEX pending_email_changes_by_expiry ON pending_email_changes (expires_at)",
        """
        CREATE TABLE email_undos (
            token BLOB PRIMARY KEY,
            account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            email TEXT NOT NULL,
            email_key TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX email_undos_by_account ON email_undos (account_id)",
        "CREATE INDEX email_undos_by_expiry ON email_undos (expires_at)",
        """
        CREATE TABLE sign_in_summaries (
            account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
            since INTEGER NOT NULL,
            due_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX sign_in_summaries_by_due ON sign_in_summaries (due_at)",
        "ALTER TABLE outbox ADD COLUMN recipient BLOB",
        """
        CREATE INDEX security_events_told ON security_events (account_id, at)
        WHERE kind NOT IN ('login_failed', 'proof_failed', 'password_rehashed')
        """
    )

    static let identities = Migration(
        "004 identities",
        """
        CREATE TABLE identities (
            id TEXT PRIMARY KEY,
            account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            provider TEXT NOT NULL,
            issuer TEXT NOT NULL,
            subject TEXT NOT NULL,
            email TEXT,
            refresh_token BLOB,
            created_at INTEGER NOT NULL,
            UNIQUE (issuer, subject)
        ) STRICT
        """,
        "CREATE INDEX identities_by_account ON identities (account_id)",
        "CREATE TABLE used_tokens (digest BLOB PRIMARY KEY, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID",
        "CREATE INDEX used_tokens_by_expiry ON used_tokens (expires_at)"
    )

    static let mailedResets = Migration(
        "005 mailed resets",
        // Whose reset it is, where an operator has started it: its link binds it to any browser.
        "ALTER TABLE pending_resets ADD COLUMN account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE",
        "CREATE INDEX pending_resets_by_account ON pending_resets (account_id) WHERE account_id IS NOT NULL",
        // The waiting mail with the code, which goes with the account that asked for it.
        "ALTER TABLE pending_email_changes ADD COLUMN mail_id TEXT"
    )
}
