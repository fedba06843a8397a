import GRDB
import StoreSupport
import Testing

@testable import Vestibule
@testable import VestibulePostgres
@testable import VestibuleSQL
@testable import VestibuleSQLite

/// What PostgreSQL refuses whatever a statement says, and how its schema differs from SQLite's.
struct PostgresSchemaTests {
    /// Works with a connection to a migrated database.
    private func with<Value: Sendable>(_ work: @escaping @Sendable (PostgresConnection) throws -> Value) async throws
        -> Value
    {
        try await PostgresDatabase.migrated().store().pool.with(work)
    }

    @Test func `every CHECK of a table refuses a row that breaks it alone`() async throws {
        let (checks, refusals) = try await with { connection in
            let dialect = try PostgresDialect(connection)
            try dialect.insertSamples(connection)
            let refusals = CheckTests.violations.map { table, changes in
                (table, changes.compactMap { dialect.change($0, table) }.map { Self.refusal($0, table, connection) })
            }
            return (try Self.checks(connection), Dictionary(uniqueKeysWithValues: refusals))
        }
        for (table, names) in checks {
            #expect(Set(refusals[table] ?? []) == Set(names), "\(table)")
            #expect(refusals[table]?.count == names.count, "\(table)")
        }
        #expect(checks.keys.count > 30)
    }

    /// The names of the CHECKs that are told of, by their tables.
    private static func checks(_ connection: PostgresConnection) throws -> [String: [String]] {
        let rows = try connection.all(
            """
            SELECT conrelid::regclass::text AS name, conname::text AS checked FROM pg_constraint
            WHERE contype = 'c' AND connamespace = 'public'::regnamespace AND conrelid NOT IN ('cache_changes'::regclass, 'cache_horizon'::regclass)
            """)
        return try rows.reduce(into: [:]) { $0[try $1["name"], default: []].append(try $1["checked"]) }
    }

    private static func refusal(_ change: String, _ table: String, _ connection: PostgresConnection) -> String? {
        do {
            try connection.execute("UPDATE \(table) SET \(change)")
            return nil
        } catch let fault as PostgresFault {
            return fault.constraint ?? fault.description
        } catch {
            return "\(error)"
        }
    }

    /// Columns by table: name, type in SQLite's words, and whether it may be NULL.
    private typealias Shape = [String: Set<String>]

    @Test func `both engines have the same tables, columns and foreign keys`() async throws {
        let sqlite = try Self.sqliteShape()
        let postgres = try await with(Self.postgresShape)
        #expect(Set(sqlite.keys) == Set(postgres.keys))
        for (table, columns) in sqlite { #expect(columns == postgres[table], "\(table)") }
    }

    private static func sqliteShape() throws -> Shape {
        let database = try DatabaseQueue()
        try VestibuleSQLite.Schema.migrator.migrate(database)
        return try database.read { database in
            let columns = try Row.fetchAll(
                database,
                sql: """
                    SELECT tables.name AS name, columns.name || ' ' || lower(columns.type)
                        || iif(columns."notnull" OR columns.pk, '', ' null') AS said
                    FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
                    WHERE tables.type = 'table' AND tables.name NOT GLOB 'grdb_*'
                    UNION SELECT tables.name, keys."from" || ' of ' || keys."table" || '.' || keys."to" || ' ' || keys.on_delete
                    FROM sqlite_schema AS tables, pragma_foreign_key_list(tables.name) AS keys
                    """)
            return columns.reduce(into: [:]) { $0[$1["name"], default: []].insert($1["said"]) }
        }
    }

    private static func postgresShape(_ connection: PostgresConnection) throws -> Shape {
        let rows = try connection.all(
            """
            SELECT table_name::text AS name, column_name || ' '
                || CASE data_type WHEN 'bytea' THEN 'blob' WHEN 'text' THEN 'text' ELSE 'integer' END
                || CASE is_nullable WHEN 'YES' THEN ' null' ELSE '' END AS said
            FROM information_schema.columns WHERE table_schema = 'public' AND column_name <> 'number'
                AND table_name NOT IN ('schema_migrations', 'cache_changes', 'cache_horizon')
            UNION SELECT keys.conrelid::regclass::text, own.attname || ' of ' || keys.confrelid::regclass || '.' || other.attname
                || CASE keys.confdeltype WHEN 'c' THEN ' CASCADE' ELSE '' END
            FROM pg_constraint AS keys CROSS JOIN unnest(keys.conkey, keys.confkey) AS pairs (own, other)
                JOIN pg_attribute AS own ON own.attrelid = keys.conrelid AND own.attnum = pairs.own
                JOIN pg_attribute AS other ON other.attrelid = keys.confrelid AND other.attnum = pairs.other
            WHERE keys.contype = 'f'
            """)
        return try rows.reduce(into: [:]) { $0[try $1["name"], default: []].insert(try $1["said"]) }
    }

    @Test func `no index has an order that a library's upgrade could change`() async throws {
        let indexes = try await with { connection in
            try connection.all(
                """
                SELECT DISTINCT indexrelid::regclass::text AS name FROM pg_index
                    CROSS JOIN unnest(indcollation) AS collated
                    JOIN pg_class ON pg_class.oid = indrelid AND relnamespace = 'public'::regnamespace
                WHERE collated NOT IN (0, (SELECT oid FROM pg_collation WHERE collname = 'C'))
                """
            ).map { try $0["name"] as String }
        }
        #expect(indexes == [])
    }
}
