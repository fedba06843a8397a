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
        // SQLite takes these for something else than the name of a file.
        guard !path.begins(with: "file:"), !path.begins(with: ":") else { return nil }
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

/// The address of a PostgreSQL database in libpq's own syntax:
/// `postgres://user:password@host1,host2/name?…`.
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

    /// The servers and the name of the database, without user, password and options.
    package var place: String {
        let said = text.after("postgres://") ?? text.after("postgresql://") ?? ""
        let bytes = Array(said.utf8)
        let at = bytes.lastIndex(of: UInt8(ascii: "@"))
        let options = bytes.firstIndex(of: UInt8(ascii: "?"))
        // An @ behind a ? is part of a password, here or there: nothing is told then.
        if let at, let options, options < at { return "postgres://" }
        let from = at.map { $0 + 1 } ?? 0
        return "postgres://" + String(decoding: bytes[from..<(options ?? bytes.count)], as: UTF8.self)
    }
}
