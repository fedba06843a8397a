import VestibuleSQL

/// A statement, and the values of its `$1`, `$2` and so on.
struct PostgresStatement: Sendable {
    let sql: String
    var parameters: [any SQLParameter] = []

    /// The number of each value's type in PostgreSQL's catalogue.
    var types: [UInt32] { parameters.map { type(of: $0).sqlType.postgresType } }
}

/// What is done in a transaction of its own after a commit, if there is a reason. Nobody hears
/// whether it succeeds.
struct FollowUp: Sendable {
    /// Sent together with the commit; a row that it answers with is the reason.
    let reason: PostgresStatement
    let statement: PostgresStatement
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
