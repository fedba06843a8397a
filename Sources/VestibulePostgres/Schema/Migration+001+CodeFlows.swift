extension Migration {
    /// Flows that wait for a code. A code that was sent late outlives its flow.
    static let codeFlows = [
        """
        CREATE TABLE pending_signups (
            flow bytea PRIMARY KEY CHECK (length(flow) = 32),
            display_name text NOT NULL,
            email text NOT NULL CHECK (email <> ''),
            email_key text COLLATE "C" NOT NULL CHECK (email_key <> ''),
            password_hash text NOT NULL CHECK (password_hash <> ''),
            \(code),
            consent_id text NOT NULL CHECK (consent_id <> ''),
            terms_version text NOT NULL,
            terms_digest bytea NOT NULL CHECK (length(terms_digest) = 32),
            consented_at bigint NOT NULL CHECK (consented_at >= 0),
            locale text NOT NULL CHECK (locale <> ''),
            address text NOT NULL,
            return_to text,
            remembered boolean NOT NULL DEFAULT false
        )
        """,
        "CREATE INDEX pending_signups_by_email ON pending_signups (email_key)",
        "CREATE INDEX pending_signups_by_expiry ON pending_signups (expires_at)",
        """
        CREATE TABLE pending_resets (
            flow bytea PRIMARY KEY CHECK (length(flow) = 32),
            email text NOT NULL CHECK (email <> ''),
            email_key text COLLATE "C" NOT NULL CHECK (email_key <> ''),
            \(code),
            locale text NOT NULL CHECK (locale <> ''),
            account_id text COLLATE "C" REFERENCES accounts (id) ON DELETE CASCADE,
            proved boolean NOT NULL DEFAULT false,
            return_to text
        )
        """,
        "CREATE INDEX pending_resets_by_email ON pending_resets (email_key)",
        "CREATE INDEX pending_resets_by_expiry ON pending_resets (expires_at)",
        "CREATE INDEX pending_resets_by_account ON pending_resets (account_id) WHERE account_id IS NOT NULL",
        """
        CREATE TABLE pending_email_changes (
            flow bytea PRIMARY KEY CHECK (length(flow) = 32),
            account_id text COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            email text NOT NULL CHECK (email <> ''),
            email_key text COLLATE "C" NOT NULL CHECK (email_key <> ''),
            \(code),
            mail_id text COLLATE "C" CHECK (mail_id <> '')
        )
        """,
        "CREATE INDEX pending_email_changes_by_account ON pending_email_changes (account_id)",
        "CREATE INDEX pending_email_changes_by_expiry ON pending_email_changes (expires_at)",
        """
        CREATE TABLE pending_email_undos (
            flow bytea PRIMARY KEY CHECK (length(flow) = 32),
            token bytea NOT NULL REFERENCES email_undos (token) ON DELETE CASCADE,
            email_key text COLLATE "C" NOT NULL CHECK (email_key <> ''),
            \(code)
        )
        """,
        "CREATE INDEX pending_email_undos_by_token ON pending_email_undos (token)",
        "CREATE INDEX pending_email_undos_by_expiry ON pending_email_undos (expires_at)",
    ]

    /// The same columns in each.
    private static let code = """
        code_digest bytea NOT NULL CHECK (length(code_digest) = 32),
            attempts bigint NOT NULL DEFAULT 0 CHECK (attempts >= 0),
            code_expires_at bigint NOT NULL CHECK (code_expires_at >= 0),
            expires_at bigint NOT NULL CHECK (expires_at >= 0)
        """
}
