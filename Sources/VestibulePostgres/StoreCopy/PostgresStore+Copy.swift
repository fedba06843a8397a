package import Vestibule
import VestibuleSQL

extension PostgresStore {
    /// How long a statement of a copy may take.
    static let copyPatience: Duration = .seconds(3600)

    package func reading<Value>(_ work: (any TableReader) throws -> Value) throws -> Value {
        try transaction(Transaction.snapshot, work)
    }

    package func writing<Value>(_ work: (any TableWriter) throws -> Value) throws -> Value {
        try transaction("BEGIN ISOLATION LEVEL SERIALIZABLE", work)
    }

    /// On a connection of its own, whose statements may take long.
    private func transaction<Value>(_ begin: String, _ work: (PostgresTables) throws -> Value) throws -> Value {
        do {
            let connection = try pool.connect(patience: Self.copyPatience)
            try connection.execute(begin)
            let value = try work(PostgresTables(connection: connection))
            guard try connection.commit() else { throw StoreUnavailable("a transaction was rolled back") }
            return value
        } catch let fault as PostgresFault {
            throw StoreUnavailable(fault)
        }
    }
}

/// The tables as one transaction sees them.
struct PostgresTables: TableWriter {
    let connection: PostgresConnection

    func tables() throws -> [CopiedTable] {
        let columns = try names(
            """
            SELECT table_name::text AS "table", column_name::text AS "column" FROM information_schema.columns
            WHERE table_schema = 'public' AND column_name <> 'number' ORDER BY 1, ordinal_position
            """)
        let keys = try names(
            """
            SELECT table_name::text AS "table", column_name::text AS "column"
            FROM information_schema.key_column_usage AS keys
            JOIN information_schema.table_constraints AS constraints USING (constraint_name, table_schema, table_name)
            WHERE table_schema = 'public' AND constraint_type = 'PRIMARY KEY' ORDER BY 1, keys.ordinal_position
            """)
        return CopiedTable.names.map { CopiedTable(name: $0, columns: columns[$0] ?? [], key: keys[$0] ?? []) }
    }

    func count(_ table: CopiedTable) throws -> Int {
        try connection.one("SELECT count(*) AS count FROM \(table.name)")?["count"] ?? 0
    }

    func rows(of table: CopiedTable) throws -> any CopiedRows {
        let order = CopiedTable.ordered.contains(table.name) ? ["number"] : table.key
        try connection.execute(
            """
            CLOSE ALL; DECLARE \(PostgresRows.cursor(table)) CURSOR FOR SELECT \(table.columns.joined(separator: ", ")) FROM \(table.name)
            ORDER BY \(order.joined(separator: ", "))
            """)
        return PostgresRows(connection: connection, table: table, kinds: try kinds(of: table))
    }

    func insert(_ rows: [CopiedRow], into table: CopiedTable) throws {
        let kinds = try kinds(of: table)
        let columns = table.columns.indices.map { column in kinds[column].array(of: rows.map { $0[column] }) }
        let names = table.columns.joined(separator: ", ")
        try connection.run(
            """
            INSERT INTO \(table.name) (\(names))
            SELECT \(names) FROM unnest(\(table.columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")))
            WITH ORDINALITY AS copied (\(names), place) ORDER BY place
            """, columns)
    }

    func deleteAll(of table: CopiedTable) throws {
        try connection.run("DELETE FROM \(table.name)")
    }

    /// Of the table's columns, in their order.
    private func kinds(of table: CopiedTable) throws -> [PostgresKind] {
        let rows = try connection.all(
            """
            SELECT column_name::text AS name, data_type::text AS type FROM information_schema.columns
            WHERE table_schema = 'public' AND table_name = $1
            """, [table.name])
        let types = try rows.reduce(into: [String: String]()) { $0[try $1["name"]] = try $1["type"] as String }
        return table.columns.map { PostgresKind(rawValue: types[$0] ?? "") ?? .text }
    }

    private func names(_ query: String) throws -> [String: [String]] {
        try connection.all(query).reduce(into: [:]) { all, row in
            all[try row["table"] as String, default: []].append(try row["column"])
        }
    }
}
