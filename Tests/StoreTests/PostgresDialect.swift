@testable import VestibulePostgres
@testable import VestibuleSQL

/// What the tests write in SQLite's dialect, for PostgreSQL.
struct PostgresDialect {
    /// The type of each column of each table.
    private let types: [String: [String: String]]

    init(_ connection: PostgresConnection) throws {
        let rows = try connection.all(
            """
            SELECT table_name::text, column_name::text, data_type::text FROM information_schema.columns
            WHERE table_schema = 'public'
            """)
        var types: [String: [String: String]] = [:]
        for row in rows { types[try row["table_name"], default: [:]][try row["column_name"]] = try row["data_type"] }
        self.types = types
    }

    var tables: Set<String> { Set(types.keys) }

    func type(_ table: String, _ column: String) -> String? { types[table]?[column] }

    /// Makes the sample rows, but for columns that are not there any more.
    func insertSamples(_ connection: PostgresConnection) throws {
        for (table, values) in SampleRows.all {
            let known = values.filter { type(table, $0.key) != nil }
            let texts = known.map { type(table, $0.key) == "boolean" ? "\($0.value != "0")" : Self.text($0.value) }
            try connection.execute(
                """
                INSERT INTO \(table) (\(known.map(\.key).joined(separator: ", ")))
                VALUES (\(texts.joined(separator: ", ")))
                """)
        }
    }

    /// A change such as `flow = x''`; nil for one that the column's type forbids.
    func change(_ change: String, _ table: String) -> String? {
        let column = String(change.prefix { $0 != " " })
        guard type(table, column) == "boolean" else { return Self.text(change) }
        return change.hasSuffix(" 0") ? "\(column) = false" : nil
    }

    private static func text(_ value: String) -> String {
        value.replacing(/zeroblob\((\d+)\)/) { "decode(repeat('00', \($0.1)), 'hex')" }
            .replacing(/x'([0-9a-f]*)'/) { "'\\x\($0.1)'::bytea" }
    }
}
