extension Migration {
    /// Sessions of applications on hosts of their own, and the tickets that begin them. They end
    /// with the session.
    static let handOver = Migration(
        "015 hand-over",
        """
        CREATE TABLE application_sessions (
            token_digest BLOB PRIMARY KEY CHECK (length(token_digest) = 32),
            session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
            account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            origin TEXT NOT NULL CHECK (origin <> ''),
            entered_at INTEGER NOT NULL CHECK (entered_at >= 0),
            UNIQUE (session_id, origin)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX application_sessions_by_account ON application_sessions (account_id)",
        """
        CREATE TABLE handover_tickets (
            digest BLOB PRIMARY KEY CHECK (length(digest) = 32),
            session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
            account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            origin TEXT NOT NULL CHECK (origin <> ''),
            browser BLOB NOT NULL CHECK (length(browser) = 32),
            target TEXT NOT NULL CHECK (target LIKE '/%'),
            is_retry INTEGER NOT NULL CHECK (is_retry IN (0, 1)),
            expires_at INTEGER NOT NULL CHECK (expires_at >= 0)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX handover_tickets_by_session ON handover_tickets (session_id)",
        "CREATE INDEX handover_tickets_by_account ON handover_tickets (account_id)",
        "CREATE INDEX handover_tickets_by_expiry ON handover_tickets (expires_at)"
    )
}
