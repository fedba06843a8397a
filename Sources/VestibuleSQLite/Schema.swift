import GRDB

/// The numbered migrations, forward only. Times are milliseconds since 1970, digests and hashes are blobs or PHC text.
enum Schema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("001 front door") { database in
            for statement in frontDoor { try database.execute(sql: statement) }
        }
        migrator.registerMigration("002 password reset") { database in
            for statement in passwordReset { try database.execute(sql: statement) }
        }
        migrator.registerMigration("003 account life") { database in
            for statement in accountLife { try database.execute(sql: statement) }
        }
        migrator.registerMigration("004 identities") { database in
            for statement in identities { try database.execute(sql: statement) }
        }
        migrator.registerMigration("005 mailed resets") { database in
            for statement in mailedResets { try database.execute(sql: statement) }
        }
        migrator.registerMigration("006 known browsers") { database in
            try database.execute(sql: "ALTER TABLE accounts ADD COLUMN browsers_known_since INTEGER")
        }
        migrator.registerMigration("007 sums of failures") { database in
            for statement in sumsOfFailures { try database.execute(sql: statement) }
        }
        migrator.registerMigration("008 proofs") { database in
            for statement in proofs { try database.execute(sql: statement) }
        }
        migrator.registerMigration("009 database id") { database in
            for statement in databaseID { try database.execute(sql: statement) }
        }
        migrator.registerMigration("010 mail order") { database in
            for statement in mailOrder { try database.execute(sql: statement) }
        }
        migrator.registerMigration("011 reach of limits") { database in
            // How far ahead a counter may run, in milliseconds; NULL for one that is never dropped to make room.
            try database.execute(sql: "ALTER TABLE rate_limits ADD COLUMN burst INTEGER")
            // A day for those from before, so that they make room for others.
            try database.execute(sql: "UPDATE rate_limits SET burst = 86400000")
        }
        migrator.registerMigration("012 flows") { database in
            for statement in flows { try database.execute(sql: statement) }
        }
        return migrator
    }

    private static let flows = [
        "ALTER TABLE pending_signups ADD COLUMN remembered INTEGER NOT NULL DEFAULT 0",
        // The code was right; the new password is still to be chosen.
        "ALTER TABLE pending_resets ADD COLUMN proved INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE pending_resets ADD COLUMN return_to TEXT",
    ]

    private static let sumsOfFailures = [
        "ALTER TABLE security_events ADD COLUMN count INTEGER NOT NULL DEFAULT 1",
        // The hour (since 1970) of the last failure, and how many there were in it.
        "ALTER TABLE login_failures ADD COLUMN hour INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE login_failures ADD COLUMN in_hour INTEGER NOT NULL DEFAULT 0",
        // Wrong codes of the whole site, by the hour since 1970.
        "CREATE TABLE wrong_codes (hour INTEGER PRIMARY KEY, count INTEGER NOT NULL) STRICT",
        "DROP INDEX security_events_told",
        """
        CREATE INDEX security_events_told ON security_events (account_id, at)
        WHERE kind NOT IN ('login_failed', 'proof_failed', 'code_failed', 'password_rehashed')
        """,
    ]

    private static let proofs = [
        """
        CREATE TABLE pending_email_undos (
            flow BLOB PRIMARY KEY,
            token BLOB NOT NULL REFERENCES email_undos (token) ON DELETE CASCADE,
            email_key TEXT NOT NULL,
            code_digest BLOB NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0,
            code_expires_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX pending_email_undos_by_token ON pending_email_undos (token)",
        "CREATE INDEX pending_email_undos_by_expiry ON pending_email_undos (expires_at)",
        // Whether the password was given when the session was proved last, or a provider vouched.
        "ALTER TABLE sessions ADD COLUMN proved_by TEXT NOT NULL DEFAULT 'password'",
    ]

    /// Tells this database from another one at the same path. A copy has the same id.
    private static let databaseID = [
        "CREATE TABLE database_id (one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL) STRICT",
        "INSERT INTO database_id (one, id) VALUES (1, lower(hex(randomblob(16))))",
    ]

    private static let mailOrder = [
        // Which server it goes to, and whether it holds a code: what is sent next depends on both.
        "ALTER TABLE outbox ADD COLUMN domain BLOB",
        "ALTER TABLE outbox ADD COLUMN urgent INTEGER NOT NULL DEFAULT 0",
    ]

    private static let mailedResets = [
        // Whose reset it is, where an operator has started it: its link binds it to any browser.
        "ALTER TABLE pending_resets ADD COLUMN account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE",
        "CREATE INDEX pending_resets_by_account ON pending_resets (account_id) WHERE account_id IS NOT NULL",
        // The waiting mail with the code, which goes with the account that asked for it.
        "ALTER TABLE pending_email_changes ADD COLUMN mail_id TEXT",
    ]

    private static let identities = [
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
        "CREATE INDEX used_tokens_by_expiry ON used_tokens (expires_at)",
    ]

    private static let accountLife = [
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
        """,
    ]

    private static let passwordReset = [
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
        "CREATE INDEX pending_resets_by_expiry ON pending_resets (expires_at)",
    ]

    private static let frontDoor = [
        """
        CREATE TABLE accounts (
            id TEXT PRIMARY KEY,
            email TEXT NOT NULL,
            email_key TEXT NOT NULL UNIQUE,
            display_name TEXT NOT NULL,
            password_hash TEXT,
            locale TEXT NOT NULL,
            terms_version TEXT,
            created_at INTEGER NOT NULL,
            verified_at INTEGER,
            disabled_at INTEGER
        ) STRICT
        """,
        """
        CREATE TABLE consents (
            id TEXT PRIMARY KEY,
            account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            version TEXT NOT NULL,
            text_digest BLOB NOT NULL,
            locale TEXT NOT NULL,
            address TEXT NOT NULL,
            accepted_at INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX consents_by_account ON consents (account_id, accepted_at)",
        """
        CREATE TABLE pending_signups (
            flow BLOB PRIMARY KEY,
            display_name TEXT NOT NULL,
            email TEXT NOT NULL,
            email_key TEXT NOT NULL,
            password_hash TEXT NOT NULL,
            code_digest BLOB NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0,
            code_expires_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            consent_id TEXT NOT NULL,
            terms_version TEXT NOT NULL,
            terms_digest BLOB NOT NULL,
            consented_at INTEGER NOT NULL,
            locale TEXT NOT NULL,
            address TEXT NOT NULL,
            return_to TEXT
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX pending_signups_by_email ON pending_signups (email_key)",
        "CREATE INDEX pending_signups_by_expiry ON pending_signups (expires_at)",
        """
        CREATE TABLE sessions (
            id TEXT PRIMARY KEY,
            token_digest BLOB NOT NULL UNIQUE,
            account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            created_at INTEGER NOT NULL,
            last_seen_at INTEGER NOT NULL,
            idle_ms INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            remembered INTEGER NOT NULL,
            proved_at INTEGER NOT NULL,
            awaits_terms INTEGER NOT NULL,
            user_agent TEXT NOT NULL,
            address TEXT NOT NULL
        ) STRICT
        """,
        "CREATE INDEX sessions_by_account ON sessions (account_id, last_seen_at)",
        "CREATE INDEX sessions_by_expiry ON sessions (expires_at)",
        """
        CREATE TABLE login_failures (
            key BLOB PRIMARY KEY,
            count INTEGER NOT NULL,
            last_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE security_events (
            id TEXT PRIMARY KEY,
            kind TEXT NOT NULL,
            account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
            at INTEGER NOT NULL,
            address TEXT NOT NULL,
            user_agent TEXT NOT NULL
        ) STRICT
        """,
        "CREATE INDEX security_events_by_account ON security_events (account_id, at)",
        "CREATE INDEX security_events_by_time ON security_events (at)",
        """
        CREATE TABLE outbox (
            id TEXT PRIMARY KEY,
            sealed BLOB NOT NULL,
            created_at INTEGER NOT NULL,
            due_at INTEGER,
            attempts INTEGER NOT NULL DEFAULT 0,
            leased INTEGER NOT NULL DEFAULT 0,
            failure TEXT
        ) STRICT
        """,
        "CREATE INDEX outbox_by_due ON outbox (due_at) WHERE due_at IS NOT NULL",
        """
        CREATE TABLE rate_limits (
            key BLOB PRIMARY KEY,
            arrival INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX rate_limits_by_arrival ON rate_limits (arrival)",
        "CREATE TABLE heartbeat (one INTEGER PRIMARY KEY CHECK (one = 1), at INTEGER NOT NULL) STRICT",
    ]
}
