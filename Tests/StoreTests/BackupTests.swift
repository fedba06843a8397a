import Foundation
import GRDB
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule
@testable import VestibuleSQL
@testable import VestibuleSQLite

@Suite(.timeLimit(.minutes(15)))
struct BackupTests {
    private func open() throws -> (SQLiteStore, String) {
        let folder = try Engine.temporaryFolder()
        let store = try SQLiteStore(path: folder + "/vestibule.sqlite")
        _ = try store.migrate()
        return (store, folder)
    }

    private func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix("vestibule.sqlite") }
    }

    @Test func `a copy taken while others write holds one moment of it, in one file for its owner`() async throws {
        let (store, folder) = try open()
        let writer = Task {
            var number = 0
            while !Task.isCancelled {
                try await store.addPendingSignup(
                    Make.pending(flow: UInt8(number % 256), email: "\(number)@example.com"), mails: Make.mails())
                _ = try await store.addAccount(
                    Make.account("\(number)", email: "\(number)@example.com", token: UInt8(number % 256)))
                number += 1
                if number == 256 { return }
            }
        }
        var counts: [Int] = []
        while (counts.last ?? 0) < 100 {
            counts.append(try await store.backUp(to: "\(folder)/copy-\(counts.count)").accounts)
        }
        writer.cancel()
        _ = await writer.result
        #expect(Set(try names(folder)) == Set(counts.indices.map { "copy-\($0)" }))
        for copy in counts.indices {
            let path = "\(folder)/copy-\(copy)"
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let (accounts, events) = try await DatabaseQueue(path: path).read { database in
                (
                    try String.fetchAll(database, sql: "SELECT id FROM accounts ORDER BY rowid"),
                    try Int.fetchOne(database, sql: "SELECT count(*) FROM security_events")
                )
            }
            #expect(accounts == (0..<counts[copy]).map(String.init) && events == counts[copy])
        }
    }

    @Test func `nothing is overwritten, and nothing is left of a backup that failed`() async throws {
        let (store, folder) = try open()
        try Data("precious".utf8).write(to: URL(filePath: folder + "/taken"))
        await #expect(throws: BackupFault.self) { try await store.backUp(to: folder + "/taken") }
        await #expect(throws: BackupFault.self) { try await store.backUp(to: folder + "/no/such/folder") }
        #expect(try names(folder) == ["taken"])
        #expect(try String(contentsOfFile: folder + "/taken", encoding: .utf8) == "precious")
    }

    @Test(arguments: 0..<8)
    func `a backup that is cancelled leaves nothing, or is whole`(milliseconds: Int) async throws {
        let (store, folder) = try open()
        try await fill(folder + "/vestibule.sqlite", bytes: 16 << 20)
        let backup = Task { try await store.backUp(to: folder + "/copy") }
        // No wait for anything: each run cancels at another moment, and whenever that is the
        // outcome is one of the two.
        try await Task.sleep(for: .milliseconds(milliseconds * 5))
        backup.cancel()
        switch await backup.result {
        case .success: #expect(try names(folder) == ["copy"])
        case .failure(let error): #expect(try error is CancellationError && names(folder).isEmpty)
        }
    }

    @Test func `a backup that was cancelled before it began makes nothing`() async throws {
        let (store, folder) = try open()
        let backup = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await store.backUp(to: folder + "/copy")
        }
        await #expect(throws: CancellationError.self) { try await backup.value }
        #expect(try names(folder).isEmpty)
    }

    /// Makes the database that large.
    private func fill(_ path: String, bytes: Int) async throws {
        let queue = try DatabaseQueue(path: path)
        try await queue.write { database in
            try database.execute(sql: "CREATE TABLE filling (bytes BLOB)")
            for _ in 0..<(bytes >> 20) {
                try database.execute(sql: "INSERT INTO filling VALUES (randomblob(\(1 << 20)))")
            }
        }
        try queue.close()
    }

    @Test func `a damaged store, and a file that is not a store, make no backup`() async throws {
        let folder = try Engine.temporaryFolder()
        let foreign = try SQLiteStore(path: folder + "/vestibule.sqlite")
        await #expect(throws: BackupFault.self) { try await foreign.backUp(to: folder + "/foreign") }
        _ = try foreign.migrate()
        #expect(try await foreign.addAccount(Make.account("a")))
        try foreign.close()
        try await orphan(folder + "/vestibule.sqlite")
        let damaged = try SQLiteStore(path: folder + "/vestibule.sqlite")
        await #expect(throws: BackupFault.self) { try await damaged.backUp(to: folder + "/damaged") }
        #expect(try names(folder).isEmpty)
    }

    /// Leaves sessions behind whose account is gone.
    private func orphan(_ path: String) async throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try await queue.write { try $0.execute(sql: "DELETE FROM accounts") }
        try queue.close()
    }
}
