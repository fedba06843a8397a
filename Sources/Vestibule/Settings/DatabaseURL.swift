/// Which store to open: `sqlite:FILE`.
package enum DatabaseURL: Sendable, Equatable {
    case sqlite(path: String)

    package init?(_ text: String) {
        guard text.hasPrefix("sqlite:"), text.utf8.count > 7, !text.utf8.contains(0) else { return nil }
        self = .sqlite(path: String(text.dropFirst(7)))
    }
}
