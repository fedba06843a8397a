/// A statement, and the values of its `$1`, `$2` and so on.
struct PostgresStatement: Sendable {
    let sql: String
    var parameters: [any PostgresParameter] = []

    /// The number of each value's type in PostgreSQL's catalogue.
    var types: [UInt32] { parameters.map { type(of: $0).postgresType } }
}

/// What a statement answered.
struct PostgresAnswer: Sendable {
    var rows: [PostgresRow] = []
    /// How many rows it changed or returned.
    var changed = 0
    var command = ""
    /// Whether a warning came with it.
    var isWarned = false
}
