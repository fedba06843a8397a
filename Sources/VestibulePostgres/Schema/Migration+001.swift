extension Migration {
    /// What SQLite's schema is after its migration 017, without what only an order of rows in pages
    /// or a missing type called for there.
    static let first = Migration(
        number: 1, name: "first",
        statements: accounts + sessions + codeFlows + factors + applications + operation)
}
