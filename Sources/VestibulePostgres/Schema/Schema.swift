/// The numbered migrations, forward only. Times are milliseconds since 1970, digests bytea. Text
/// that is compared or sorted has the collation "C", which no upgrade of a library changes.
enum Schema {
    /// From the oldest to the newest.
    static let migrations: [Migration] = [.first, .nodes]

    /// Those that have run, by number.
    static let table = """
        CREATE TABLE IF NOT EXISTS schema_migrations (
            number bigint PRIMARY KEY,
            name text NOT NULL,
            applied_at bigint NOT NULL
        )
        """

    /// The numbers of the migrations that have run; none in an empty database.
    static func applied(_ connection: PostgresConnection) throws -> Set<Int64> {
        guard try exists("schema_migrations", connection) else { return [] }
        return Set(try connection.all("SELECT number FROM schema_migrations").map { try $0["number"] })
    }

    static func exists(_ table: String, _ connection: PostgresConnection) throws -> Bool {
        try connection.one("SELECT to_regclass($1) IS NOT NULL AS found", [table])?["found"] ?? false
    }
}
