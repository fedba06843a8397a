extension Migration {
    /// What proves a person besides a password, and what waits for it.
    static let factors = [
        """
        CREATE TABLE passkey_users (
            account_id TEXT COLLATE "C" PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
            handle BYTEA NOT NULL UNIQUE CHECK (length(handle) = 64)
        )
        """,
        """
        CREATE TABLE passkeys (
            id TEXT COLLATE "C" PRIMARY KEY CHECK (id <> ''),
            account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            credential_id BYTEA NOT NULL UNIQUE CHECK (length(credential_id) BETWEEN 16 AND 1023),
            algorithm BIGINT NOT NULL CHECK (algorithm IN (-7, -8, -257)),
            public_key BYTEA NOT NULL CHECK (length(public_key) BETWEEN 1 AND 2048),
            signature_count BIGINT NOT NULL CHECK (signature_count BETWEEN 0 AND 4294967295),
            aaguid BYTEA NOT NULL CHECK (length(aaguid) = 16),
            transports TEXT NOT NULL,
            is_backup_eligible BOOLEAN NOT NULL,
            is_backed_up BOOLEAN NOT NULL,
            is_second_factor BOOLEAN NOT NULL,
            name TEXT NOT NULL CHECK (name <> ''),
            created_at BIGINT NOT NULL CHECK (created_at >= 0),
            last_used_at BIGINT CHECK (last_used_at >= created_at),
            second_factor_since BIGINT CHECK (second_factor_since >= created_at),
            CHECK (is_backup_eligible OR NOT is_backed_up)
        )
        """,
        "CREATE INDEX passkeys_by_account ON passkeys (account_id)",
        """
        CREATE TABLE factor_keys (
            account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            kind TEXT COLLATE "C" NOT NULL CHECK (kind <> ''),
            sealed BYTEA NOT NULL CHECK (length(sealed) > 0),
            counter BIGINT NOT NULL CHECK (counter >= 0),
            created_at BIGINT NOT NULL CHECK (created_at >= 0),
            last_used_at BIGINT CHECK (last_used_at >= created_at),
            PRIMARY KEY (account_id, kind)
        )
        """,
        """
        CREATE TABLE factor_codes (
            account_id TEXT COLLATE "C" NOT NULL,
            kind TEXT COLLATE "C" NOT NULL,
            digest BYTEA NOT NULL CHECK (length(digest) = 32),
            PRIMARY KEY (account_id, kind, digest),
            FOREIGN KEY (account_id, kind) REFERENCES factor_keys (account_id, kind) ON DELETE CASCADE
        )
        """,
        """
        CREATE TABLE trusted_browsers (
            account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            browser BYTEA NOT NULL CHECK (length(browser) = 32),
            expires_at BIGINT NOT NULL CHECK (expires_at >= 0),
            PRIMARY KEY (account_id, browser)
        )
        """,
        "CREATE INDEX trusted_browsers_by_expiry ON trusted_browsers (expires_at)",
        """
        CREATE TABLE pending_logins (
            flow BYTEA PRIMARY KEY CHECK (length(flow) = 32),
            account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            proved_by TEXT NOT NULL CHECK (proved_by IN ('password', 'provider')),
            proved_digest BYTEA CHECK (length(proved_digest) = 32),
            remembered BOOLEAN NOT NULL,
            return_to TEXT,
            attempts BIGINT NOT NULL CHECK (attempts >= 0),
            started_at BIGINT NOT NULL CHECK (started_at >= 0),
            expires_at BIGINT NOT NULL CHECK (expires_at >= started_at)
        )
        """,
        "CREATE INDEX pending_logins_by_account ON pending_logins (account_id)",
        "CREATE INDEX pending_logins_by_expiry ON pending_logins (expires_at)",
        """
        CREATE TABLE held_forms (
            digest BYTEA PRIMARY KEY CHECK (length(digest) = 32),
            session_id TEXT COLLATE "C" NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
            sealed BYTEA NOT NULL CHECK (length(sealed) > 0),
            expires_at BIGINT NOT NULL CHECK (expires_at >= 0)
        )
        """,
        "CREATE INDEX held_forms_by_session ON held_forms (session_id)",
        "CREATE INDEX held_forms_by_expiry ON held_forms (expires_at)",
        """
        CREATE TABLE factor_removals (
            account_id TEXT COLLATE "C" PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
            asked_at BIGINT NOT NULL CHECK (asked_at >= 0),
            due_at BIGINT NOT NULL CHECK (due_at >= asked_at)
        )
        """,
        "CREATE INDEX factor_removals_by_due ON factor_removals (due_at)",
    ]
}
