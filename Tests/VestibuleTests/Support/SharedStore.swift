@testable import VestibuleSQLite

/// A store that outlives one house, for tests that change settings in between.
func sharedStore() throws -> SQLiteStore {
    try SQLiteStore(inMemory: ())
}
