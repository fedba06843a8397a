import Essentials
package import Vestibule
import VestibuleSQL

extension PostgresStore {
    /// How many rows a migration changes or writes anew in a second, indexes included: the slowest
    /// that was measured (docs/operating/cluster.md).
    private static let rowsPerSecond = 25_000.0

    /// Asks for what PostgreSQL would refuse: tables that are new, and changes to those of others.
    package func checkMayMigrate() throws {
        try onThisThread { connection in
            let row = try connection.one(
                """
                SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS may_create,
                    (SELECT min(relname || ' belongs to ' || pg_get_userbyid(relowner)) FROM pg_class
                     WHERE relnamespace = to_regnamespace('public') AND relkind = 'r' AND relname = ANY ($1)
                         AND NOT pg_has_role(relowner, 'USAGE')) AS other
                """, [CopiedTable.names + CopiedTable.leftOut])
            guard try row?["may_create"] == true else {
                throw StoreUnavailable("this user may make no tables in the schema public, or there is none")
            }
            if let other = try row?["other"] as String? { throw StoreUnavailable("the table \(other)") }
        }
    }

    /// By the server's own count of rows, which it keeps up to date: counting them takes minutes in
    /// a large table, and to try the migration would keep every node from working.
    package func migrationForecast() async throws -> MigrationForecast {
        try onThisThread { connection in
            let applied = try Schema.applied(connection)
            let pending = Schema.migrations.filter { !applied.contains($0.number) }
            let words = Set(pending.flatMap { $0.statements.flatMap(Self.words) })
            let rows: Int64 =
                try connection.one(
                    """
                    SELECT coalesce(sum(greatest(c.reltuples::bigint, s.n_live_tup, 0)), 0)::bigint AS rows
                    FROM pg_class c JOIN pg_stat_user_tables s ON s.relid = c.oid
                    WHERE s.schemaname = current_schema() AND c.relname = ANY ($1)
                    """, [Array(words)])?["rows"] ?? 0
            return MigrationForecast(
                names: pending.map(\.name), rows: Int(clamping: rows), seconds: Double(rows) / Self.rowsPerSecond,
                isMeasured: false)
        }
    }

    /// All words of a statement, names of tables among them.
    private static func words(_ statement: String) -> [String] {
        statement.utf8.split { !$0.isASCIILetterOrDigit && $0 != UInt8(ascii: "_") }.compactMap { String($0) }
    }
}
