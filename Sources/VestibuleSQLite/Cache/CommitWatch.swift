import GRDB
import Synchronization
import VestibuleSQL

/// Tells this process's commits from those of others: its own drop what they changed from the read
/// cache, those of another process (a command, an SQLite shell) empty it within 50 milliseconds.
///
/// SQLite's `data_version` differs on a connection after commits of any other connection. That of a
/// watcher, which never writes, differs after every commit; that of the writer only after commits
/// of other processes. After each commit of its own the writer's thread asks both: the watcher for
/// the number its readers may see from now on, then itself whether anybody else has committed up to
/// here. No reader waits for the writer: while its commit makes the watcher's number ambiguous,
/// reads go past the cache.
final class CommitWatch: Sendable {
    private struct State {
        /// The watcher's number; all commits up to it are accounted for.
        var accounted: Int64?
        var writerVersion: Int64?
        var isCommitting = false
        var trustedUntil: ContinuousClock.Instant?
        var isRecording = false

        mutating func trust(since start: ContinuousClock.Instant) {
            let end = start + trustedFor
            trustedUntil = max(trustedUntil ?? end, end)
        }
    }

    private let cache: ReadCache
    /// `nil` for a database that no other process can open.
    private let watcher: DatabaseQueue?
    private let recorder = ChangeRecorder()
    private let state = Mutex(State())
    private static let trustedFor: Duration = .milliseconds(50)

    init(cache: ReadCache, watcher: DatabaseQueue?) {
        self.cache = cache
        self.watcher = watcher
    }

    /// Whether another process was asked for less than 50 milliseconds ago.
    package var isTrusted: Bool {
        watcher == nil || state.withLock { state in state.trustedUntil.map { .now < $0 } ?? false }
    }

    /// Asks for commits of other processes, on a thread that may wait. Returns whether the cache
    /// now holds nothing that they have changed.
    func ask() throws -> Bool {
        guard let watcher else { return true }
        let start = ContinuousClock.now
        let version = try watcher.unsafeRead(Self.dataVersion)
        // Freed when the lock is not held.
        var dropped: CacheEntries?
        defer { withExtendedLifetime(dropped) {} }
        return state.withLock { state in
            // Somebody has asked later already.
            if let accounted = state.accounted, Self.is(accounted, after: version) { return true }
            if state.accounted != version {
                guard !state.isCommitting else { return false }
                dropped = cache.empty()
                state.accounted = version
            }
            state.trust(since: start)
            return true
        }
    }

    /// To be called on the writer's connection before each transaction.
    func prepare(_ database: Database) throws {
        guard !state.withLock(\.isRecording) else { return }
        try recorder.install(database)
        state.withLock { $0.isRecording = true }
    }

    /// To be called inside the transaction, when only the commit is still to be made.
    func willCommit() {
        state.withLock { $0.isCommitting = true }
    }

    /// To be called on the writer's connection after each transaction, also when it failed, before
    /// anybody is told.
    func didCommit(_ database: Database) {
        cache.drop(recorder.take())
        guard let watcher else { return }
        let start = ContinuousClock.now
        let seen = try? watcher.unsafeRead(Self.dataVersion)
        // Asked last: if it is the same as before, all that the watcher has seen is of this
        // process.
        let own = try? Self.dataVersion(database)
        var dropped: CacheEntries?
        defer { withExtendedLifetime(dropped) {} }
        state.withLock { state in
            if seen == nil || own == nil || own != state.writerVersion { dropped = cache.empty() }
            state.accounted = own == nil ? nil : seen
            state.writerVersion = own
            if state.accounted != nil { state.trust(since: start) } else { state.trustedUntil = nil }
            state.isCommitting = false
        }
    }

    /// The tables are others than before: nothing that was read counts, and their triggers have to
    /// be made anew.
    func schemaChanged() {
        state.withLock { state in
            cache.empty()
            state.accounted = nil
            state.trustedUntil = nil
            state.isRecording = false
        }
    }

    @Sendable private static func dataVersion(_ database: Database) throws -> Int64 {
        try Int64.fetchOne(database.cachedStatement(sql: "PRAGMA data_version")) ?? 0
    }

    /// SQLite counts in 32 bits, and begins anew.
    private static func `is`(_ version: Int64, after other: Int64) -> Bool {
        Int32(truncatingIfNeeded: version &- other) > 0
    }
}
