import GRDB
import Vestibule

extension SQLiteStore {
    /// Copies the store as it is at one moment into a new file (0600), while others go on reading and writing.
    ///
    /// The copy gets its name once it was opened, found sound and is on the disk. Throws `BackupFault`, or
    /// `StoreUnavailable` when the store itself cannot be read.
    package func backUp(to path: String) async throws -> BackupFacts {
        try await read { source in
            let file = try BackupFile(path: path)
            do {
                try Self.copy(source, to: file.draft)
                let facts = try Self.checked(file.draft)
                try file.keep()
                return facts
            } catch let error as DatabaseError {
                file.discard()
                throw BackupFault("the copy failed: \(error)")
            } catch {
                file.discard()
                throw error
            }
        }
    }

    private static func copy(_ source: Database, to path: String) throws {
        let copy = try DatabaseQueue(path: path)
        try copy.inDatabase { copy in
            try source.backup(to: copy)
            // One file that needs no other: the write-ahead log's mode came along.
            try copy.execute(sql: "PRAGMA journal_mode = DELETE")
        }
        try copy.close()
    }

    /// Opens the copy as somebody would who needs it.
    private static func checked(_ path: String) throws -> BackupFacts {
        var configuration = Configuration()
        configuration.readonly = true
        let copy = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? copy.close() }
        return try copy.read { copy in
            let faults = try String.fetchAll(copy, sql: "PRAGMA integrity_check(1)")
            guard faults == ["ok"] else { throw BackupFault("the copy is damaged: \(faults.first ?? "")") }
            guard try Row.fetchOne(copy, sql: "PRAGMA foreign_key_check") == nil else {
                throw BackupFault("the copy is damaged: rows that belong to nothing")
            }
            guard try !Schema.migrator.appliedIdentifiers(copy).isEmpty else {
                throw BackupFault("this is no database of Vestibule")
            }
            let pages = try Int64.fetchOne(copy, sql: "PRAGMA page_count") ?? 0
            let pageBytes = try Int64.fetchOne(copy, sql: "PRAGMA page_size") ?? 0
            return BackupFacts(
                bytes: pages * pageBytes, accounts: try Int.fetchOne(copy, sql: "SELECT count(*) FROM accounts") ?? 0
            )
        }
    }
}

/// What a backup holds.
package struct BackupFacts: Sendable, Equatable {
    package let bytes: Int64
    package let accounts: Int
}

/// Why there is no backup. Nothing was left behind.
package struct BackupFault: Error, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
