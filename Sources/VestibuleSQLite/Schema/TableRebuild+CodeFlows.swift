extension TableRebuild {
    /// Flows that wait for a code. A code that was sent late outlives its flow.
    static let codeFlows = [
        TableRebuild(
            "pending_signups", unfit: .dropped,
            """
            (
                flow BLOB PRIMARY KEY CHECK (length(flow) = 32),
                display_name TEXT NOT NULL,
                email TEXT NOT NULL CHECK (email <> ''),
                email_key TEXT NOT NULL CHECK (email_key <> ''),
                password_hash TEXT NOT NULL CHECK (password_hash <> ''),
                \(code),
                consent_id TEXT NOT NULL CHECK (consent_id <> ''),
                terms_version TEXT NOT NULL,
                terms_digest BLOB NOT NULL CHECK (length(terms_digest) = 32),
                consented_at INTEGER NOT NULL CHECK (consented_at >= 0),
                locale TEXT NOT NULL CHECK (locale <> ''),
                address TEXT NOT NULL,
                return_to TEXT,
                remembered INTEGER NOT NULL DEFAULT 0 CHECK (remembered IN (0, 1))
            ) STRICT, WITHOUT ROWID
            """),
        TableRebuild(
            "pending_resets", unfit: .dropped,
            """
            (
                flow BLOB PRIMARY KEY CHECK (length(flow) = 32),
                email TEXT NOT NULL CHECK (email <> ''),
                email_key TEXT NOT NULL CHECK (email_key <> ''),
                \(code),
                locale TEXT NOT NULL CHECK (locale <> ''),
                account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
                proved INTEGER NOT NULL DEFAULT 0 CHECK (proved IN (0, 1)),
                return_to TEXT
            ) STRICT, WITHOUT ROWID
            """),
        TableRebuild(
            "pending_email_changes", unfit: .dropped,
            """
            (
                flow BLOB PRIMARY KEY CHECK (length(flow) = 32),
                account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                email TEXT NOT NULL CHECK (email <> ''),
                email_key TEXT NOT NULL CHECK (email_key <> ''),
                \(code),
                mail_id TEXT CHECK (mail_id <> '')
            ) STRICT, WITHOUT ROWID
            """),
        TableRebuild(
            "pending_email_undos", unfit: .dropped,
            """
            (
                flow BLOB PRIMARY KEY CHECK (length(flow) = 32),
                token BLOB NOT NULL REFERENCES email_undos (token) ON DELETE CASCADE,
                email_key TEXT NOT NULL CHECK (email_key <> ''),
                \(code)
            ) STRICT, WITHOUT ROWID
            """),
    ]

    /// The same columns in each.
    private static let code = """
        code_digest BLOB NOT NULL CHECK (length(code_digest) = 32),
            attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
            code_expires_at INTEGER NOT NULL CHECK (code_expires_at >= 0),
            expires_at INTEGER NOT NULL CHECK (expires_at >= 0)
        """
}
