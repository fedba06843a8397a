/// One numbered step of the schema, in PostgreSQL's words. Once released it stays as it is:
/// databases have run it. It only adds, so that the version before goes on serving; what is dropped
/// goes one version later.
///
/// Times are milliseconds since 1970. Text that is compared or sorted has the collation "C", which
/// no upgrade of a library changes.
package struct Migration: Sendable {
    /// Stands in the database when the step has run.
    package let number: Int64
    package let name: String
    package let statements: [String]
    /// Whether the version before this one can go on serving.
    package var onlyAdds = true

    /// The first, with what only one engine has.
    package static func first(and own: [String]) -> Migration {
        Migration(
            number: 1, name: "tables", statements: accounts + codeFlows + factors + applications + operation + own)
    }
}
