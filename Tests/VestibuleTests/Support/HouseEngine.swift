import Foundation
import StoreSupport
import TestSupport

@testable import Vestibule
@testable import VestibuleSQLite

/// The engine that houses stand on: SQLite, or PostgreSQL with `VESTIBULE_TEST_ENGINE=postgres`.
enum HouseEngine {
    private static let isPostgres = ProcessInfo.processInfo.environment["VESTIBULE_TEST_ENGINE"] == "postgres"
    /// Whether what was read lately is known at once: PostgreSQL is asked first, unless that was a
    /// moment ago, whether another node has changed it.
    static let answersAtOnce = !isPostgres

    /// A fresh, migrated store.
    static func open() async throws -> any Store {
        isPostgres ? try await PostgresDatabase.migrated().store() : try SQLiteStore(inMemory: ())
    }

    /// The same store as two nodes have it.
    static func openTwice() async throws -> [any Store] {
        if isPostgres {
            let database = try await PostgresDatabase.migrated()
            return try [database.store(), database.store()]
        }
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).sqlite").path
        let stores = try [SQLiteStore(path: path), SQLiteStore(path: path)]
        _ = try stores[0].migrate()
        return stores
    }

    /// Works with a fresh store, and closes it.
    static func with<Value: Sendable>(_ work: (any Store) async throws -> Value) async throws -> Value {
        let store = try await open()
        let result: Result<Value, any Error>
        do { result = .success(try await work(store)) } catch { result = .failure(error) }
        try await blocking { try store.close() }
        return try result.get()
    }
}

/// A store that outlives one house, for tests that change settings in between.
func sharedStore() async throws -> any Store {
    try await HouseEngine.open()
}
