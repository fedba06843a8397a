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

    /// What stands in a statement, and what SQLite has for it.
    private struct Word {
        let text: [UInt8]
        let spelled: [UInt8]
        /// Whether a list of values follows, one placeholder and nothing else: arrays are bound as
        /// JSON. It becomes a subquery, so that its parenthesis is closed twice.
        let opensList: Bool

        init(_ text: String, _ spelled: String, opensList: Bool = false) {
            (self.text, self.spelled, self.opensList) = (Array(text.utf8), Array(spelled.utf8), opensList)
        }
    }

    /// What SQLite names otherwise, by the first byte of what stands in the statement. The order of
    /// insertion is a column in PostgreSQL.
    private static let words = Dictionary(
        grouping: [
            Word("$", "?"), Word("greatest(", "max("), Word("string_agg(", "group_concat("),
            Word(" FOR NO KEY UPDATE", ""), Word(" FOR UPDATE SKIP LOCKED", ""), Word(", number", ", rowid"),
            Word(".number", ".rowid"), Word("encode(", "lower(hex("), Word(", 'hex')", "))"),
            Word("sha256(uuid_send(gen_random_uuid()))", "randomblob(32)"),
            Word("= ANY (", "IN (SELECT value FROM json_each(", opensList: true),
            Word("<> ALL (", "NOT IN (SELECT value FROM json_each(", opensList: true),
        ], by: \.text[0])

    /// In one pass over the bytes: regular expressions of the standard library took a third of a
    /// millisecond for each statement, while the first visitor waits.
    private static func translated(_ sql: String) -> String {
        var (sql, spelled, isInList) = (sql, [UInt8](), false)
        sql.withUTF8 { text in
            var rest = text[...]
            while let byte = rest.first {
                if let word = words[byte]?.first(where: { rest.starts(with: $0.text) }) {
                    spelled += word.spelled
                    rest = rest.dropFirst(word.text.count)
                    isInList = isInList || word.opensList
                } else {
                    let endsList = isInList && byte == UInt8(ascii: ")")
                    spelled += endsList ? [byte, byte] : [byte]
                    rest = rest.dropFirst()
                    isInList = isInList && !endsList
                }
            }
        }
        return String(decoding: spelled, as: UTF8.self)
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
