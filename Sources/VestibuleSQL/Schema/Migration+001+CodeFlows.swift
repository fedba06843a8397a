extension Migration {
    /// Flows that wait for a code. A code that was sent late outlives its flow.
    static let codeFlows = [
        """
        CREATE TABLE pending_signups (
            flow BYTEA PRIMARY KEY CHECK (length(flow) = 32),
            display_name TEXT NOT NULL,
            email TEXT NOT NULL CHECK (email <> ''),
            email_key TEXT COLLATE "C" NOT NULL CHECK (email_key <> ''),
            password_hash TEXT NOT NULL CHECK (password_hash <> ''),
            \(code),
            consent_id TEXT NOT NULL CHECK (consent_id <> ''),
            terms_version TEXT NOT NULL,
            terms_digest BYTEA NOT NULL CHECK (length(terms_digest) = 32),
            consented_at BIGINT NOT NULL CHECK (consented_at >= 0),
            locale TEXT NOT NULL CHECK (locale <> ''),
            address TEXT NOT NULL,
            return_to TEXT,
            remembered BOOLEAN NOT NULL DEFAULT false
        )
        """,
        "CREATE INDEX pending_signups_by_email ON pending_signups (email_key)",
        "CREATE INDEX pending_signups_by_expiry ON pending_signups (expires_at)",
        // `proved`: the code was right, and the new password is still to be chosen.
        """
        CREATE TABLE pending_resets (
            flow BYTEA PRIMARY KEY CHECK (length(flow) = 32),
            email TEXT NOT NULL CHECK (email <> ''),
            email_key TEXT COLLATE "C" NOT NULL CHECK (email_key <> ''),
            \(code),
            locale TEXT NOT NULL CHECK (locale <> ''),
            account_id TEXT COLLATE "C" REFERENCES accounts (id) ON DELETE CASCADE,
            proved BOOLEAN NOT NULL DEFAULT false,
            return_to TEXT
        )
        """,
        "CREATE INDEX pending_resets_by_email ON pending_resets (email_key)",
        "CREATE INDEX pending_resets_by_expiry ON pending_resets (expires_at)",
        "CREATE INDEX pending_resets_by_account ON pending_resets (account_id) WHERE account_id IS NOT NULL",
        """
        CREATE TABLE pending_email_changes (
            flow BYTEA PRIMARY KEY CHECK (length(flow) = 32),
            account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            email TEXT NOT NULL CHECK (email <> ''),
            email_key TEXT COLLATE "C" NOT NULL CHECK (email_key <> ''),
            \(code),
            mail_id TEXT COLLATE "C" CHECK (mail_id <> '')
        )
        """,
        "CREATE INDEX pending_email_changes_by_account ON pending_email_changes (account_id)",
        "CREATE INDEX pending_email_changes_by_expiry ON pending_email_changes (expires_at)",
        """
        CREATE TABLE pending_email_undos (
            flow BYTEA PRIMARY KEY CHECK (length(flow) = 32),
            token BYTEA NOT NULL REFERENCES email_undos (token) ON DELETE CASCADE,
            email_key TEXT COLLATE "C" NOT NULL CHECK (email_key <> ''),
            \(code)
        )
        """,
        "CREATE INDEX pending_email_undos_by_token ON pending_email_undos (token)",
        "CREATE INDEX pending_email_undos_by_expiry ON pending_email_undos (expires_at)",
    ]

    /// The same columns in each.
    private static let code = """
        code_digest BYTEA NOT NULL CHECK (length(code_digest) = 32),
            attempts BIGINT NOT NULL DEFAULT 0 CHECK (attempts >= 0),
            code_expires_at BIGINT NOT NULL CHECK (code_expires_at >= 0),
            expires_at BIGINT NOT NULL CHECK (expires_at >= 0)
        """
}
