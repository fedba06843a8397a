import Essentials
package import Vestibule
import VestibuleSQL

extension PostgresStore {
    /// How many rows a migration changes or writes anew in a second, indexes included: the slowest
    /// that was measured (docs/operating/cluster.md).
    private static let rowsPerSecond = 25_000.0

    /// Throws `StoreUnavailable` unless this user may make tables in `public` and acts for the
    /// owner of each that pending migrations name.
    package func checkMayMigrate() throws {
        try onThisThread { connection in
            let words = try Self.words(Self.pending(connection))
            let row = try connection.one(
                """
                SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS may_create,
                    (SELECT min(relname || ' belongs to ' || pg_get_userbyid(relowner)) FROM pg_class
                     WHERE relnamespace = to_regnamespace('public') AND relkind = 'r' AND relname = ANY ($1)
                         AND NOT pg_has_role(relowner, 'USAGE')) AS other
                """, [words])
            guard try row?["may_create"] == true else {
                throw StoreUnavailable(
                    "this user may not create tables in the schema public, or that schema is missing")
            }
            if let other = try row?["other"] as String? {
                throw StoreUnavailable("only its owner can migrate a table: \(other)")
            }
        }
    }

    /// By the server's own count of rows, which it keeps up to date: counting them takes minutes in
    /// a large table, and to try the migration would keep every node from working.
    package func migrationForecast() async throws -> MigrationForecast {
        try onThisThread { connection in
            let pending = try Self.pending(connection)
            let rows: Int64 =
                try connection.one(
                    """
                    SELECT coalesce(sum(greatest(c.reltuples::bigint, s.n_live_tup, 0)), 0)::bigint AS rows
                    FROM pg_class c JOIN pg_stat_user_tables s ON s.relid = c.oid
                    WHERE s.schemaname = current_schema() AND c.relname = ANY ($1)
                    """, [Self.words(pending)])?["rows"] ?? 0
            return MigrationForecast(
                names: pending.map(\.name), rows: Int(clamping: rows), seconds: Double(rows) / Self.rowsPerSecond,
                isMeasured: false)
        }
    }

    private static func pending(_ connection: PostgresConnection) throws -> [Migration] {
        let applied = try Schema.applied(connection)
        return Schema.migrations.filter { !applied.contains($0.number) }
    }

    /// All words of their statements, names of tables among them.
    private static func words(_ migrations: [Migration]) -> [String] {
        Array(Set(migrations.flatMap { $0.statements.flatMap(words) }))
    }

    private static func words(_ statement: String) -> [String] {
        statement.utf8.split { !$0.isASCIILetterOrDigit && $0 != UInt8(ascii: "_") }.compactMap { String($0) }
    }
}
