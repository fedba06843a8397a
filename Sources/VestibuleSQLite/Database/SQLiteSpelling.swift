import GRDB
import Synchronization
import VestibuleSQL

/// A statement of `VestibuleSQL` in the words that SQLite has for it.
final class SQLiteSpelling: Sendable {
    let sql: String
    private let columns = Mutex<SQLColumns?>(nil)

    private init(_ sql: String) {
        self.sql = Self.translated(sql)
    }

    /// What SQLite names otherwise. The order of insertion is a column in PostgreSQL.
    private static let words = [
        ("$", "?"), ("greatest(", "max("), ("string_agg(", "group_concat("), (" FOR NO KEY UPDATE", ""),
        (" FOR UPDATE SKIP LOCKED", ""), (", number", ", rowid"), (".number", ".rowid"), ("encode(", "lower(hex("),
        (", 'hex')", "))"),
        ("sha256(uuid_send(gen_random_uuid()))", "randomblob(32)"),
    ]

    /// Arrays are bound as JSON.
    private static func translated(_ sql: String) -> String {
        // Characters: statements are our own.
        let translated = words.reduce(sql) { $0.replacing($1.0, with: $1.1) }
        // Characters: statements are our own.
        return translated.replacing(/(= ANY|<> ALL) \((\?\d+)\)/) { match in
            "\(match.1 == "= ANY" ? "IN" : "NOT IN") (SELECT value FROM json_each(\(match.2)))"
        }
    }

    /// The names of what it answers with, which are the same on every connection.
    func columns(_ statement: Statement) -> SQLColumns {
        columns.withLock { columns in
            if let columns { return columns }
            let new = SQLColumns(statement.columnNames)
            columns = new
            return new
        }
    }

    private struct Key: Hashable {
        let sql: String

        /// To hash a thousand bytes for each execution would cost more than to compare those of
        /// texts that are as long.
        func hash(into hasher: inout Hasher) {
            hasher.combine(sql.utf8.count)
        }
    }

    /// By its text alone: what is remembered is the same in every store.
    private static let known = Mutex<[Key: SQLiteSpelling]>([:])

    /// The statement of that text, which is translated once.
    static func of(_ sql: String) -> SQLiteSpelling {
        known.withLock { known in
            if let spelling = known[Key(sql: sql)] { return spelling }
            let new = SQLiteSpelling(sql)
            known[Key(sql: sql)] = new
            return new
        }
    }
}
