extension Migration {
    /// What proves a person besides a password, and what waits for it.
    static let factors = ownedFactors + awaitedFactors

    private static let ownedFactors = [
        """
        CREATE TABLE passkey_users (
            account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
            handle BLOB NOT NULL UNIQUE CHECK (length(handle) = 64)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE passkeys (
            id TEXT PRIMARY KEY CHECK (id <> ''),
            account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            credential_id BLOB NOT NULL UNIQUE CHECK (length(credential_id) BETWEEN 16 AND 1023),
            algorithm INTEGER NOT NULL CHECK (algorithm IN (-7, -8, -257)),
            public_key BLOB NOT NULL CHECK (length(public_key) BETWEEN 1 AND 2048),
            signature_count INTEGER NOT NULL CHECK (signature_count BETWEEN 0 AND 4294967295),
            aaguid BLOB NOT NULL CHECK (length(aaguid) = 16),
            transports TEXT NOT NULL,
            is_backup_eligible INTEGER NOT NULL CHECK (is_backup_eligible IN (0, 1)),
            is_backed_up INTEGER NOT NULL CHECK (is_backed_up IN (0, 1)),
            is_second_factor INTEGER NOT NULL CHECK (is_second_factor IN (0, 1)),
            name TEXT NOT NULL CHECK (name <> ''),
            created_at INTEGER NOT NULL CHECK (created_at >= 0),
            last_used_at INTEGER CHECK (last_used_at >= created_at),
            second_factor_since INTEGER CHECK (second_factor_since >= created_at),
            CHECK (is_backup_eligible OR NOT is_backed_up)
        ) STRICT
        """,
        "CREATE INDEX passkeys_by_account ON passkeys (account_id)",
        """
        CREATE TABLE totp_keys (
            account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
            sealed BLOB NOT NULL CHECK (length(sealed) > 0),
            last_step INTEGER NOT NULL CHECK (last_step >= 0),
            created_at INTEGER NOT NULL CHECK (created_at >= 0),
            last_used_at INTEGER CHECK (last_used_at >= created_at)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE recovery_keys (
            account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
            sealed BLOB NOT NULL CHECK (length(sealed) > 0)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE recovery_codes (
            account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            digest BLOB NOT NULL CHECK (length(digest) = 32),
            created_at INTEGER NOT NULL CHECK (created_at >= 0),
            used_at INTEGER CHECK (used_at >= created_at),
            PRIMARY KEY (account_id, digest)
        ) STRICT, WITHOUT ROWID
        """,
    ]

    private static let awaitedFactors = [
        """
        CREATE TABLE trusted_browsers (
            account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            browser BLOB NOT NULL CHECK (length(browser) = 32),
            expires_at INTEGER NOT NULL CHECK (expires_at >= 0),
            PRIMARY KEY (account_id, browser)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX trusted_browsers_by_expiry ON trusted_browsers (expires_at)",
        """
        CREATE TABLE pending_logins (
            flow BLOB PRIMARY KEY CHECK (length(flow) = 32),
            account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            proved_by TEXT NOT NULL CHECK (proved_by IN ('password', 'provider')),
            proved_digest BLOB CHECK (length(proved_digest) = 32),
            remembered INTEGER NOT NULL CHECK (remembered IN (0, 1)),
            return_to TEXT,
            attempts INTEGER NOT NULL CHECK (attempts >= 0),
            started_at INTEGER NOT NULL CHECK (started_at >= 0),
            expires_at INTEGER NOT NULL CHECK (expires_at >= started_at)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX pending_logins_by_account ON pending_logins (account_id)",
        "CREATE INDEX pending_logins_by_expiry ON pending_logins (expires_at)",
        """
        CREATE TABLE held_forms (
            digest BLOB PRIMARY KEY CHECK (length(digest) = 32),
            session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
            sealed BLOB NOT NULL CHECK (length(sealed) > 0),
            expires_at INTEGER NOT NULL CHECK (expires_at >= 0)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX held_forms_by_session ON held_forms (session_id)",
        "CREATE INDEX held_forms_by_expiry ON held_forms (expires_at)",
        """
        CREATE TABLE factor_removals (
            account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
            asked_at INTEGER NOT NULL CHECK (asked_at >= 0),
            due_at INTEGER NOT NULL CHECK (due_at >= asked_at)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX factor_removals_by_due ON factor_removals (due_at)",
    ]
}
