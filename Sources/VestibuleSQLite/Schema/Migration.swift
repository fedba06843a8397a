/// One numbered step of the schema. Once released it stays as it is: databases have run it.
struct Migration: Sendable {
    /// Stands in the database when the step has run.
    let name: String
    let statements: [String]
}

extension Migration {
    static let first = Migration(
        name: "001 first", statements: accounts + codeFlows + factors + applications + operation)
}
