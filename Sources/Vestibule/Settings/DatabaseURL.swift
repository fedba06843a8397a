import Essentials

/// Which store to open: `sqlite:FILE`.
package enum DatabaseURL: Sendable, Equatable {
    case sqlite(path: String)

    package init?(_ text: String) {
        guard let path = text.after("sqlite:"), !path.isEmpty, !path.utf8.contains(0) else { return nil }
        self = .sqlite(path: String(path))
    }

    /// The file that is the database; relative to the working folder unless it begins with a slash.
    package var file: String {
        switch self {
        case .sqlite(let path): path
        }
    }
}
