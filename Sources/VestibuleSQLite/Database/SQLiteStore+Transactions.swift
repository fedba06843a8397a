package import Essentials
import Foundation
package import GRDB
import NIOPosix
import Vestibule
package import VestibuleSQL

extension SQLiteStore {
    /// Statements that each see the newest commit; nothing here needs two of them to see the same
    /// one.
    package func read<Value: Sendable>(_ work: @escaping SQLWork<Database, Value>) async throws -> Value {
        try await guarded {
            try await readers.runIfActive { try reading.read(work) }
        }
    }

    package func readOne<Value: Sendable>(_ work: @escaping SQLWork<Database, Value>) async throws -> Value {
        try await read(work)
    }

    /// Work on the writer's own temporary tables: it may read the database, and takes no lock that
    /// others wait for.
    func aside<Value: Sendable>(_ work: @escaping SQLWork<Database, Value>) async throws -> Value {
        try await guarded {
            try await writer.runIfActive {
                try database.writeWithoutTransaction { database in
                    var value: Value?
                    try database.inTransaction(.deferred) {
                        value = try work(database)
                        return .commit
                    }
                    guard let value else { throw StoreUnavailable("transaction without result") }
                    return value
                }
            }
        }
    }

    /// Moves the write-ahead log into the database and cuts it to nothing, so that it holds neither
    /// what was deleted nor what a large transaction left. Gives up after 0.2 seconds when somebody
    /// reads on: housekeeping tries again.
    func cutLog() async {
        try? await writer.runIfActive {
            try database.writeWithoutTransaction { database in
                // Other writers wait meanwhile.
                try database.execute(sql: "PRAGMA busy_timeout = 200")
                defer { try? database.execute(sql: "PRAGMA busy_timeout = \(Self.busyMilliseconds)") }
                try checkpoints?.alone {
                    // The watcher sees it like a commit.
                    watch.willCommit()
                    defer { watch.didCommit(database) }
                    _ = try database.checkpoint(.truncate)
                }
            }
        }
    }

    package var isCacheTrusted: Bool { watch.isTrusted }

    package func isCacheCurrent() async throws -> Bool {
        if watch.isTrusted { return true }
        return try await guarded {
            try await readers.runIfActive { [watch] in try watch.ask() }
        }
    }

    /// On the disk before it returns, with the operating system if it is relaxed.
    package func transaction<Value: Sendable>(
        _ kind: Transaction, _ work: @escaping SQLWork<Database, Value>
    ) async throws -> Value {
        try await guarded { try await writes.run(isDurable: kind != .relaxed, work) }
    }

    /// Nothing to do: one transaction writes at a time.
    package func lock(_ accountID: AccountID, _ connection: Database) {}

    private func guarded<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        try file?.check()
        do {
            return try await work()
        } catch let error as DatabaseError where error.meansUnavailable {
            damage.note(error)
            // The full disk may be the one of temporary files.
            throw StoreUnavailable(
                "\(error.resultCode): \(error.message ?? "")", file.flatMap { error.cause(at: $0.path) })
        } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY {
            // Every foreign key names an account or a session: it has ended while the request was
            // under way.
            throw Superseded()
        }
    }
}

extension DatabaseError {
    /// Also where SQLite has no room for `-shm`, which it calls an I/O error.
    func meansFullDisk(of path: String) -> Bool {
        let code = resultCode.primaryResultCode
        guard code == .SQLITE_IOERR else { return code == .SQLITE_FULL }
        let folder = URL(filePath: path).resolvingSymlinksInPath().deletingLastPathComponent().path
        let free = try? FileManager.default.attributesOfFileSystem(forPath: folder)[.systemFreeSize] as? NSNumber
        return (free?.intValue ?? .max) < 64 << 10
    }

    /// Why the file at that path cannot be used; nil where the code does not tell.
    func cause(at path: String) -> StoreUnavailable.Cause? {
        if meansFullDisk(of: path) { return .fullDisk }
        return switch resultCode.primaryResultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: .locked
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: .damaged
        default: nil
        }
    }

    /// Codes that tell of the file or the disk, not of the statement.
    fileprivate var meansUnavailable: Bool {
        let codes: [ResultCode] = [
            .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_READONLY, .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_CANTOPEN,
            .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_PERM, .SQLITE_PROTOCOL, .SQLITE_ABORT,
        ]
        return codes.contains(resultCode.primaryResultCode)
    }
}
