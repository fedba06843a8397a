import Synchronization
import Vestibule

/// Remembers the sessions and account overviews read last, so that a busy visitor costs no change of threads.
///
/// Every durable write of this process empties it. What another process (a command) writes is noticed by asking a
/// connection that never writes for SQLite's `data_version`, at most every 50 milliseconds.
final class ReadCache: Sendable {
    /// An account, and how many of its events were asked for.
    private struct OverviewKey: Hashable {
        let accountID: String
        let events: Int
    }

    private struct State {
        var sessions: [TokenDigest: SessionRecord] = [:]
        var overviews: [OverviewKey: AccountOverview] = [:]
        var generation = 0
        var dataVersion: Int64?
        var trustedUntil: ContinuousClock.Instant?
    }

    private let state = Mutex(State())
    private static let trustedFor: Duration = .milliseconds(50)
    private let mostEntries: Int

    /// `mostEntries` sessions and overviews are kept; with 0, none.
    init(mostEntries: Int) {
        self.mostEntries = mostEntries
    }

    /// Grows whenever the cache is emptied; to be asked for before a read whose result is to be kept.
    var generation: Int { state.withLock { $0.generation } }

    /// Whether no other process can have written unnoticed.
    var isTrusted: Bool { state.withLock { state in state.trustedUntil.map { .now < $0 } ?? false } }

    func session(_ digest: TokenDigest) -> SessionRecord? { state.withLock { $0.sessions[digest] } }

    func overview(_ accountID: String, events: Int) -> AccountOverview? {
        let key = OverviewKey(accountID: accountID, events: events)
        return state.withLock { $0.overviews[key] }
    }

    /// Keeps what was read, unless something was written since `generation`.
    func keep(_ record: SessionRecord, for digest: TokenDigest, generation: Int) {
        keep(generation) { $0.sessions[digest] = record }
    }

    /// Keeps what was read, unless something was written since `generation`.
    func keep(_ overview: AccountOverview, for accountID: String, events: Int, generation: Int) {
        let key = OverviewKey(accountID: accountID, events: events)
        keep(generation) { $0.overviews[key] = overview }
    }

    /// Something was written.
    func empty() {
        state.withLock { Self.empty(&$0) }
    }

    /// Another number than before means that somebody has written.
    func note(dataVersion: Int64) {
        state.withLock { state in
            if state.dataVersion != dataVersion { Self.empty(&state) }
            state.dataVersion = dataVersion
            state.trustedUntil = .now + Self.trustedFor
        }
    }

    private func keep(_ generation: Int, _ change: (inout State) -> Void) {
        state.withLock { state in
            guard state.generation == generation else { return }
            guard mostEntries > 0 else { return }
            if state.sessions.count + state.overviews.count >= mostEntries { Self.empty(&state) }
            change(&state)
        }
    }

    private static func empty(_ state: inout State) {
        state.generation += 1
        state.sessions = [:]
        state.overviews = [:]
    }
}
