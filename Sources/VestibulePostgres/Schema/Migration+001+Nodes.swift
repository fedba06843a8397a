extension Migration {
    /// Which servers share the database, and how each learns what the others have changed.
    static let nodes = [nodeTable, changeTable, changeIndex, expiryIndex, horizonTable] + functions + triggers

    private static let nodeTable = """
        CREATE TABLE nodes (
            id text COLLATE "C" PRIMARY KEY CHECK (id <> ''),
            name text COLLATE "C" NOT NULL CHECK (name <> ''),
            version text NOT NULL CHECK (version <> ''),
            started_at bigint NOT NULL CHECK (started_at >= 0),
            last_seen_at bigint NOT NULL CHECK (last_seen_at >= started_at),
            key_id bytea CHECK (length(key_id) = 4),
            previous_key_id bytea CHECK (length(previous_key_id) = 4)
        )
        """

    /// What read caches may hold of others' rows. Without a digest it is the whole account. Rows
    /// live a few minutes; their time is the server's.
    private static let changeTable = """
        CREATE TABLE cache_changes (
            transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
            account_id text COLLATE "C" NOT NULL,
            token_digest bytea CHECK (length(token_digest) = 32),
            changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
        )
        """
    private static let changeIndex = "CREATE INDEX cache_changes_by_transaction ON cache_changes (transaction)"
    private static let expiryIndex = "CREATE INDEX cache_changes_by_time ON cache_changes (changed_at)"

    /// Which changes read caches are no longer told of.
    private static let horizonTable = """
        CREATE TABLE cache_horizon (
            one integer PRIMARY KEY CHECK (one = 1),
            purged_through xid8 NOT NULL
        )
        """

    /// They know nothing but the row, so that one that goes with its account is told of as well.
    private static let functions = [
        """
        CREATE FUNCTION note_account_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO cache_changes (account_id) VALUES (OLD.id);
            RETURN NULL;
        END $$
        """,
        """
        CREATE FUNCTION note_group_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO cache_changes (account_id) VALUES (coalesce(NEW.account_id, OLD.account_id));
            RETURN NULL;
        END $$
        """,
        """
        CREATE FUNCTION note_session_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO cache_changes (account_id, token_digest) VALUES (OLD.account_id, OLD.token_digest);
            RETURN NULL;
        END $$
        """,
    ]

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
