/// One numbered step of the schema. Once released it stays as it is: databases have run it. It only
/// adds, so that the version before goes on serving; what is dropped goes one version later.
struct Migration: Sendable {
    /// Stands in the database when the step has run.
    let number: Int64
    let name: String
    let statements: [String]
    /// Whether the version before this one can go on serving.
    var onlyAdds = true
}

extension Migration {
    static let first = Migration(
        number: 1, name: "first",
        statements: accounts + sessions + codeFlows + factors + applications + operation + nodes)
}
