import Foundation
import GRDB
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule
@testable import VestibuleSQL
@testable import VestibuleSQLite

/// What only a file can do: be locked, read-only, missing, exchanged.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct DatabaseFileTests {
    private func open() throws -> (SQLiteStore, String) {
        let path = try Engine.temporaryFolder() + "/nested/vestibule.sqlite"
        let store = try SQLiteStore(path: path)
        _ = try store.migrate()
        return (store, path)
    }

    @Test func `others cannot read the file or its folder`() throws {
        let (_, path) = try open()
        let file = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        let folder = URL(filePath: path).deletingLastPathComponent().path
        let folderMode = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int
        #expect(file == 0o600 && folderMode == 0o700)
    }

    @Test func `nor one that was there, empty`() throws {
        let path = try Engine.temporaryFolder() + "/vestibule.sqlite"
        #expect(FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o644]))
        _ = try SQLiteStore(path: path).migrate()
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    }

    @Test func `a locked file is unavailable, and works when it is free again`() async throws {
        let (store, path) = try open()
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: path, configuration: configuration)
        try await other.writeWithoutTransaction { database in
            try database.execute(sql: "BEGIN EXCLUSIVE")
        }
        await #expect(throws: StoreUnavailable.self) { try await store.checkWritable(now: Make.start) }
        try await other.writeWithoutTransaction { database in
            try database.execute(sql: "ROLLBACK")
        }
        try await store.checkWritable(now: Make.start)
    }

    @Test func `a missing file is unavailable, and nothing is lost when it comes back`() async throws {
        let (store, path) = try open()
        #expect(try await store.addAccount(Make.account("a")))
        try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
        await #expect(throws: StoreUnavailable.self) { try await store.checkWritable(now: Make.start) }
        await #expect(throws: StoreUnavailable.self) { _ = try await store.session(Make.digest(1)) }
        try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
        #expect(try await store.session(Make.digest(1)) != nil)
        try await store.checkWritable(now: Make.start)
    }

    @Test func `a removed write-ahead log is unavailable, not silently lost`() async throws {
        let (store, path) = try open()
        #expect(try await store.addAccount(Make.account("a")))
        try FileManager.default.removeItem(atPath: path + "-wal")
        await #expect(throws: StoreUnavailable.self) { try await store.checkWritable(now: Make.start) }
    }

    @Test func `a full disk is unavailable, and works when there is room again`() async throws {
        let (store, _) = try open()
        try await store.limitPages(to: 1)
        await #expect(throws: StoreUnavailable.self) {
            for flow in UInt8.min ... .max {
                try await store.addPendingSignup(Make.pending(flow: flow), mails: Make.mails())
            }
        }
        try await store.limitPages(to: 1_000_000)
        #expect(try await store.addAccount(Make.account("a")))
    }

    @Test func `a file of a newer version is refused`() async throws {
        let (store, path) = try open()
        try store.close()
        try await DatabaseQueue(path: path).write { database in
            try database.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('999 the future')")
        }
        let reopened = try SQLiteStore(path: path)
        #expect(throws: StoreUnavailable.self) { try reopened.migrate() }
    }

    @Test func `a file that is not a database is refused`() throws {
        let path = try Engine.temporaryFolder() + "/vestibule.sqlite"
        try Data(repeating: 0x41, count: 4096).write(to: URL(filePath: path))
        #expect {
            try SQLiteStore(path: path)
        } throws: {
            ($0 as? StoreUnavailable)?.description == "\(path) is damaged, or is not an SQLite database"
        }
    }

    @Test(arguments: ["delete", "wal"])
    func `a file in which another program keeps its tables is refused, and left as it was`(mode: String) throws {
        let folder = try Engine.temporaryFolder()
        let path = folder + "/vestibule.sqlite"
        let other = try DatabaseQueue(path: path)
        try other.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = \(mode)") }
        try other.write { try $0.execute(sql: "CREATE TABLE accounts (id INTEGER)") }
        try other.close()
        let before = try Data(contentsOf: URL(filePath: path))
        #expect {
            try SQLiteStore(path: path)
        } throws: {
            ($0 as? StoreUnavailable)?.description == "\(path) holds tables of another program, such as accounts"
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["vestibule.sqlite"])
    }
}
