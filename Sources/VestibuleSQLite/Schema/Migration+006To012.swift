extension Migration {
    static let knownBrowsers = Migration(
        "006 known browsers",
        "ALTER TABLE accounts ADD COLUMN browsers_known_since INTEGER"
    )

    static let sumsOfFailures = Migration(
        "007 sums of failures",
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
        """
    )

    static let proofs = Migration(
        "008 proofs",
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
        "ALTER TABLE sessions ADD COLUMN proved_by TEXT NOT NULL DEFAULT 'password'"
    )

    /// Tells this database from another one at the same path. A copy has the same id.
    static let databaseID = Migration(
        "009 database id",
        "CREATE TABLE database_id (one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL) STRICT",
        "INSERT INTO database_id (one, id) VALUES (1, lower(hex(randomblob(16))))"
    )

    static let mailOrder = Migration(
        "010 mail order",
        // Which server it goes to, and whether it holds a code: what is sent next depends on both.
        "ALTER TABLE outbox ADD COLUMN domain BLOB",
        "ALTER TABLE outbox ADD COLUMN urgent INTEGER NOT NULL DEFAULT 0"
    )

    static let reachOfLimits = Migration(
        "011 reach of limits",
        // How far ahead a counter may run, in milliseconds; NULL for one that is never dropped to
        // make room.
        "ALTER TABLE rate_limits ADD COLUMN burst INTEGER",
        // A day for those from before, so that they make room for others.
        "UPDATE rate_limits SET burst = 86400000"
    )

    static let flows = Migration(
        "012 flows",
        "ALTER TABLE pending_signups ADD COLUMN remembered INTEGER NOT NULL DEFAULT 0",
        // The code was right; the new password is still to be chosen.
        "ALTER TABLE pending_resets ADD COLUMN proved INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE pending_resets ADD COLUMN return_to TEXT"
    )
}
