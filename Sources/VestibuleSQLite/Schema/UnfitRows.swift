/// Rows of an older version that break a rule of this one, so that the migration has changed nothing.
package struct UnfitRows: Error, Sendable, CustomStringConvertible {
    package let table: String
    package let count: Int
    /// The key of one of them, as a condition in SQL.
    package let first: String
    /// What SQLite says of it.
    package let rule: String

    package var description: String {
        "\(count) row\(count == 1 ? "" : "s") of \(table) cannot be kept (\(rule)), the first WHERE \(first)"
    }
}
