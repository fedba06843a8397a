import Essentials

/// The address of a PostgreSQL database in libpq's own syntax: `postgres://user:password@host1,host2/name?…`.
package struct PostgresURL: Secret, Sendable, Equatable {
    /// With its password: for libpq alone.
    package let text: String

    /// Returns nil unless it begins with `postgres://` or `postgresql://`.
    package init?(_ text: String) {
        guard text.after("postgres://") != nil || text.after("postgresql://") != nil, !text.utf8.contains(0) else {
            return nil
        }
        self.text = text
    }
}
