extension TableRebuild {
    /// Mails, events, counters and what the server notes of itself.
    static let operation = [
        TableRebuild(
            "outbox", unfit: .refused,
            """
            (
                id TEXT PRIMARY KEY CHECK (id <> ''),
                sealed BLOB NOT NULL CHECK (length(sealed) > 0),
                created_at INTEGER NOT NULL CHECK (created_at >= 0),
                due_at INTEGER CHECK (due_at >= 0),
                attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
                failure TEXT,
                recipient BLOB CHECK (length(recipient) IN (0, 16)),
                domain BLOB CHECK (length(domain) IN (0, 16)),
                urgent INTEGER NOT NULL DEFAULT 0 CHECK (urgent IN (0, 1)),
                leased_by TEXT CHECK (leased_by <> ''),
                CHECK (leased_by IS NULL OR due_at IS NOT NULL)
            ) STRICT
            """),
        TableRebuild(
            "security_events", unfit: .refused,
            """
            (
                id TEXT PRIMARY KEY CHECK (id <> ''),
                kind TEXT NOT NULL CHECK (length(kind) BETWEEN 1 AND 64),
                account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
                at INTEGER NOT NULL CHECK (at >= 0),
                address TEXT NOT NULL,
                user_agent TEXT NOT NULL,
                count INTEGER NOT NULL DEFAULT 1 CHECK (count >= 1)
            ) STRICT
            """),
        TableRebuild(
            "used_tokens", unfit: .dropped,
            """
            (
                digest BLOB PRIMARY KEY CHECK (length(digest) = 32),
                expires_at INTEGER NOT NULL CHECK (expires_at >= 0)
            ) STRICT, WITHOUT ROWID
            """),
        // A key of 2 bytes is shared by addresses without an account.
        TableRebuild(
            "login_failures", unfit: .dropped,
            """
            (
                key BLOB PRIMARY KEY CHECK (length(key) IN (2, 16)),
                count INTEGER NOT NULL CHECK (count >= 1),
                last_at INTEGER NOT NULL CHECK (last_at >= 0),
                hour INTEGER NOT NULL DEFAULT 0 CHECK (hour >= 0),
                in_hour INTEGER NOT NULL DEFAULT 0 CHECK (in_hour BETWEEN 0 AND count)
            ) STRICT, WITHOUT ROWID
            """),
        TableRebuild(
            "rate_limits", unfit: .dropped,
            """
            (
                key BLOB PRIMARY KEY CHECK (length(key) = 16),
                arrival INTEGER NOT NULL,
                burst INTEGER CHECK (burst > 0)
            ) STRICT, WITHOUT ROWID
            """),
        TableRebuild(
            "wrong_codes", unfit: .dropped,
            """
            (
                hour INTEGER PRIMARY KEY CHECK (hour >= 0),
                count INTEGER NOT NULL CHECK (count >= 1)
            ) STRICT
            """),
        TableRebuild(
            "heartbeat", unfit: .dropped,
            "(one INTEGER PRIMARY KEY CHECK (one = 1), at INTEGER NOT NULL CHECK (at >= 0)) STRICT"),
        TableRebuild(
            "database_id", unfit: .refused,
            "(one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL CHECK (length(id) = 32)) STRICT"),
    ]
}
