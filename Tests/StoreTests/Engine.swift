import Foundation
import GRDB
import StoreSupport
import Testing

@testable import Essentials
@testable import Vestibule
@testable import VestibuleSQL
@testable import VestibuleSQLite

extension Store {
    /// The account's newest events.
    func events(accountID: AccountID, limit: Int) async throws -> [SecurityEvent] {
        try await latestEvents(accountID: accountID, kind: nil, limit: limit).map(\.event)
    }
}

/// The engines the one contract is run over.
enum Engine: CaseIterable, CustomTestStringConvertible {
    case sqliteInMemory, sqliteFile, postgres

    var testDescription: String { "\(self)" }

    /// A fresh, migrated store. Of the one in a file, every commit is checked to leave nothing
    /// stale in its cache.
    func open() async throws -> any Store {
        switch self {
        case .sqliteInMemory:
            return try SQLiteStore(inMemory: ())
        case .sqliteFile:
            let (store, path) = try Self.file()
            try CacheCheck.attach(to: store, path: path)
            return store
        case .postgres:
            return try await PostgresDatabase.migrated().store().closedWithTest()
        }
    }

    /// A migrated store in a file, and a connection as another process has it, which waits so many
    /// seconds for a lock.
    static func fileWithAnotherProcess(waiting seconds: Double) throws -> (store: SQLiteStore, other: DatabaseQueue) {
        let (store, path) = try file()
        var configuration = Configuration()
        configuration.busyMode = .timeout(seconds)
        return (store, try DatabaseQueue(path: path, configuration: configuration))
    }

    /// Where there was no file before.
    static func newFile() throws -> (store: SQLiteStore, path: String) {
        let path = try temporaryFolder() + "/vestibule.sqlite"
        let store = try SQLiteStore(path: path).closedWithTest()
        _ = try store.migrate()
        return (store, path)
    }

    static func file() throws -> (store: SQLiteStore, path: String) {
        let path = try temporaryFolder() + "/vestibule.sqlite"
        try FileManager.default.copyItem(atPath: migrated.get(), toPath: path)
        let store = try SQLiteStore(path: path).closedWithTest()
        _ = try store.migrate()
        return (store, path)
    }

    /// A file that was migrated once and is copied for each test.
    private static let migrated = Result {
        let path = try temporaryFolder() + "/vestibule.sqlite"
        let store = try SQLiteStore(path: path)
        _ = try store.migrate()
        try store.close()
        return path
    }

    static func temporaryFolder() throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "vestibule-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }
}
