import Essentials

/// Which store to open: `sqlite:FILE` or `postgres://…`.
package enum DatabaseURL: Sendable, Equatable {
    case sqlite(path: String)
    case postgres(PostgresURL)

    package init?(_ text: String) {
        if let url = PostgresURL(text) {
            self = .postgres(url)
            return
        }
        guard let path = text.after("sqlite:"), !path.isEmpty, !path.utf8.contains(0) else { return nil }
        self = .sqlite(path: String(path))
    }

    /// The file that is the database; relative to the working folder unless it begins with a slash.
    /// Returns nil for a database that is a server.
    package var file: String? {
        switch self {
        case .sqlite(let path): path
        case .postgres: nil
        }
    }
}
