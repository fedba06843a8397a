@testable import VestibulePostgres
@testable import VestibuleSQL

/// Asks as requests do, until it is so. Hangs when it never is: suites that use it have a time
/// limit.
func becomes(_ isSo: () async throws -> Bool) async throws {
    while try await !isSo() { await Task.yield() }
}

extension PostgresStore {
    /// Whether a transaction waits for a lock.
    func waitsForLock() async throws -> Bool {
        try await readOne {
            try $0.one(
                """
                SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
                """) != nil
        }
    }
}
