extension Migration {
    /// A passkey that a browser made by itself begins a sign-in of two steps. The table is made
    /// anew: a CHECK cannot be changed in SQLite. Who waits for a second step begins again.
    package static let pendingLogins = Migration(
        number: 6, name: "pending logins by passkey",
        statements: [
            "DROP TABLE pending_logins",
            """
            CREATE TABLE pending_logins (
                flow BYTEA PRIMARY KEY CHECK (length(flow) = 32),
                account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                proved_by TEXT NOT NULL CHECK (proved_by IN ('password', 'provider', 'passkey')),
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
        ])
}
