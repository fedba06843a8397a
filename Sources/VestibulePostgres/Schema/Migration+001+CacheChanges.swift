import VestibuleSQL

extension Migration {
    /// How each node learns what the others have changed.
    static let cacheChanges = tables + functions + triggers

    private static let tables = [
        // What read caches may hold of others' rows. Without a digest it is the whole account.
        // Rows live a few minutes; their time is the server's.
        """
        CREATE TABLE cache_changes (
            transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
            account_id text COLLATE "C" NOT NULL,
            token_digest bytea CHECK (length(token_digest) = 32),
            changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
        )
        """,
        "CREATE INDEX cache_changes_by_transaction ON cache_changes (transaction)",
        "CREATE INDEX cache_changes_by_time ON cache_changes (changed_at)",
        // Which changes read caches are no longer told of.
        """
        CREATE TABLE cache_horizon (
            one integer PRIMARY KEY CHECK (one = 1),
            purged_through xid8 NOT NULL
        )
        """,
    ]

    /// They know nothing but the row, so that one that goes with its account is told of as well.
    private static let functions = [
        ("account", "(account_id) VALUES (OLD.id)"),
        ("group", "(account_id) VALUES (coalesce(NEW.account_id, OLD.account_id))"),
        ("session", "(account_id, token_digest) VALUES (OLD.account_id, OLD.token_digest)"),
    ].map { what, row in
        """
        CREATE FUNCTION note_\(what)_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO cache_changes \(row);
            RETURN NULL;
        END $$
        """
    }

    /// What is new was in no cache.
    private static let triggers = [
        ("accounts", "UPDATE OR DELETE", "note_account_change"),
        ("account_groups", "INSERT OR UPDATE OR DELETE", "note_group_change"),
        ("sessions", "UPDATE OR DELETE", "note_session_change"),
        ("application_sessions", "UPDATE OR DELETE", "note_session_change"),
    ].map { table, events, function in
        "CREATE TRIGGER note_change AFTER \(events) ON \(table) FOR EACH ROW EXECUTE FUNCTION \(function)()"
    }
}
