package import Essentials
import Synchronization
package import Vestibule

/// Remembers the sessions and account overviews read last, so that a busy visitor costs no change
/// of threads.
///
/// Whether it may be asked now is for the engine to say.
package final class ReadCache: Sendable {
    private struct State {
        var entries = CacheEntries()
        /// Rises with every change that is told; orders reads and changes.
        var clock: UInt64 = 0
        var emptiedAt: UInt64 = 0
        /// When one of the accounts that share a place was changed last.
        var changedAt = [UInt64](repeating: 0, count: places)
    }

    private static let places = 1024
    private let state = Mutex(State())
    private let mostBytes: Int

    /// Keeps about that many bytes; with 0, nothing.
    package init(mostBytes: Int) {
        self.mostBytes = mostBytes
    }

    /// The moment, to be asked for before a read whose result is to be kept.
    package var clock: UInt64 { state.withLock(\.clock) }

    /// Estimated; never more than it was made for.
    package var bytes: Int { state.withLock(\.entries.bytes) }

    package func session(_ digest: TokenDigest) -> SessionRecord? { state.withLock { $0.entries.session(digest) } }

    package func applicationSession(_ digest: TokenDigest) -> ApplicationSession? {
        state.withLock { $0.entries.applicationSession(digest) }
    }

    package func overview(_ accountID: AccountID, events: Int) -> AccountOverview? {
        state.withLock { $0.entries.overview(accountID, events: events) }
    }

    /// Keeps what was read, unless its account was changed after `clock`.
    package func keep(_ record: SessionRecord, for digest: TokenDigest, readAt clock: UInt64) {
        keep(of: record.accountID, clock) { $0.put(record, for: digest) }
    }

    /// Keeps what was read, unless its account was changed after `clock`.
    package func keep(_ session: ApplicationSession, for digest: TokenDigest, readAt clock: UInt64) {
        keep(of: session.record.account.id, clock) { $0.put(session, for: digest) }
    }

    /// Keeps what was read, unless its account was changed after `clock`, or has no session: then
    /// nobody asks again, and it may be about an account that is yet to be made.
    package func keep(_ overview: AccountOverview, of accountID: AccountID, events: Int, readAt clock: UInt64) {
        guard !overview.sessions.isEmpty else { return }
        keep(of: accountID, clock) { $0.put(overview, of: accountID, events: events) }
    }

    /// Forgets what was changed, and what is being read of it just now.
    package func drop(_ changes: Set<CachedChange>) {
        guard !changes.isEmpty else { return }
        state.withLock { state in
            state.clock += 1
            for change in changes {
                state.changedAt[Self.place(change.accountID)] = state.clock
                state.entries.drop(change)
            }
        }
    }

    /// Anything may have changed. Returns what was kept, so that it can be freed when no lock is
    /// held: it may be much.
    @discardableResult
    package func empty() -> CacheEntries {
        state.withLock { state in
            state.clock += 1
            state.emptiedAt = state.clock
            defer { state.entries = CacheEntries() }
            return state.entries
        }
    }

    private func keep(of accountID: AccountID, _ clock: UInt64, _ change: (inout CacheEntries) -> Void) {
        guard mostBytes > 0 else { return }
        state.withLock { state in
            guard state.emptiedAt <= clock, state.changedAt[Self.place(accountID)] <= clock else { return }
            change(&state.entries)
            state.entries.shrink(to: mostBytes)
        }
    }

    private static func place(_ accountID: AccountID) -> Int {
        Int(UInt(bitPattern: accountID.hashValue) % UInt(places))
    }
}
