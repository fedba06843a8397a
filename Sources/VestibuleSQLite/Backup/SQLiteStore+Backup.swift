import GRDB
package import Vestibule

extension SQLiteStore {
    /// About 4 MiB: how much is copied before a cancellation is noticed.
    private static let pagesPerStep: CInt = 1024

    package func backUp(to path: String) async throws -> BackupFacts {
        let stop = BackupStop()
        return try await withTaskCancellationHandler {
            try await read { try Self.backUp($0, to: BackupFile(path: path), stop) }
        } onCancel: {
            stop.pull()
        }
    }

    private static func backUp(_ source: Database, to file: BackupFile, _ stop: BackupStop) throws -> BackupFacts {
        do {
            try copy(source, to: file.draft, stop)
            let facts = try checked(file.draft, stop)
            try stop.check()
            try file.keep()
            return facts
        } catch {
            file.discard()
            try stop.check()
            guard let fault = error as? DatabaseError else { throw error }
            throw BackupFault(
                "the copy failed: \(words(fault))",
                isDamage: [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(fault.resultCode.primaryResultCode))
        }
    }

    /// SQLite has no message of its own where the disk of the copy is full.
    private static func words(_ fault: DatabaseError) -> String {
        fault.resultCode == .SQLITE_FULL ? "there is no room for it" : "\(fault)"
    }

    static func copy(_ source: Database, to path: String, _ stop: BackupStop) throws {
        let copy = try DatabaseQueue(path: path)
        try copy.inDatabase { copy in
            try source.inTransaction(.deferred) {
                // From here on all steps see one moment; without it a commit between two of them
                // starts the copy anew.
                _ = try Int.fetchOne(source, sql: "SELECT count(*) FROM sqlite_schema")
                try source.backup(to: copy, pagesPerStep: pagesPerStep) { _ in try stop.check() }
                return .commit
            }
            // One file that needs no other: the write-ahead log's mode came along.
            try copy.execute(sql: "PRAGMA journal_mode = DELETE")
        }
        try copy.close()
    }

    /// Opens the copy as somebody would who needs it.
    static func checked(_ path: String, _ stop: BackupStop) throws -> BackupFacts {
        var configuration = Configuration()
        configuration.readonly = true
        let copy = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? copy.close() }
        return try stop.breaking(copy) {
            try copy.read { copy in
                try checkPages(copy)
                try stop.check()
                try checkContents(copy)
                return try facts(copy)
            }
        }
    }

    private static func checkPages(_ copy: Database) throws {
        let faults = try String.fetchAll(copy, sql: "PRAGMA integrity_check(1)")
        guard faults == ["ok"] else { throw damage(faults.first ?? "") }
    }

    private static func checkContents(_ copy: Database) throws {
        guard try Row.fetchOne(copy, sql: "PRAGMA foreign_key_check") == nil else {
            throw damage("rows that belong to nothing")
        }
        guard try !Schema.migrator.appliedIdentifiers(copy).isEmpty else {
            throw BackupFault("this is no database of Vestibule")
        }
    }

    /// Pages are copied as they are.
    private static func damage(_ what: String) -> BackupFault {
        BackupFault("the copy is damaged, most likely as the database is: \(what)", isDamage: true)
    }

    private static func facts(_ copy: Database) throws -> BackupFacts {
        let pages = try Int64.fetchOne(copy, sql: "PRAGMA page_count") ?? 0
        let pageBytes = try Int64.fetchOne(copy, sql: "PRAGMA page_size") ?? 0
        return BackupFacts(
            bytes: pages * pageBytes, accounts: try Int.fetchOne(copy, sql: "SELECT count(*) FROM accounts") ?? 0
        )
    }
}
