/// A connection to a database, used by one thread at a time.
///
/// Statements are written as PostgreSQL takes them, in words that SQLite takes as well or has
/// another name for (`SQLiteSpelling`). Columns are named one by one: a statement that is
/// prepared with `*` fails when another node adds one.
package protocol SQLConnection {
    associatedtype Row: SQLRow

    /// Executes a statement that is prepared once a connection; returns how many rows it changed.
    @discardableResult
    func run(_ sql: String, _ parameters: [any SQLParameter]) throws -> Int
    /// The first row, if there is any.
    func one(_ sql: String, _ parameters: [any SQLParameter]) throws -> Row?
    func all(_ sql: String, _ parameters: [any SQLParameter]) throws -> [Row]
    /// In a transaction: executes a statement whose answer is not needed. Where the server is far
    /// it is sent together with the next one or with the commit, which throws what it throws.
    func later(_ sql: String, _ parameters: [any SQLParameter]) throws
}

extension SQLConnection {
    @discardableResult
    package func run(_ sql: String) throws -> Int { try run(sql, []) }

    package func one(_ sql: String) throws -> Row? { try one(sql, []) }

    package func all(_ sql: String) throws -> [Row] { try all(sql, []) }

    /// In a transaction: adds a row, with the values of those columns in their order.
    package func insert(into table: String, _ columns: String, _ values: [any SQLParameter]) throws {
        let places = (1...values.count).map { "$\($0)" }.joined(separator: ", ")
        try later("INSERT INTO \(table) (\(columns)) VALUES (\(places))", values)
    }
}
