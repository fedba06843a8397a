import Essentials
import Synchronization
import VestibuleSQL

/// Tells of commits of every node: triggers write what they changed of sessions and accounts into
/// `cache_changes`, and each node reads there what is new before it trusts its read cache.
///
/// A node asks only when it is asked, at most four times a second while nothing of its own is
/// committed, so a change is seen everywhere within `trustedFor`; when it cannot ask, the cache is
/// not used. Nothing is lost with a notification, because there is none.
final class ChangeLog: Sendable {
    private struct State {
        /// What was visible when it was asked last (`pg_snapshot`), and where.
        var seen: (snapshot: String, server: String)?
        var trustedUntil: ContinuousClock.Instant?
        var isAsking = false
        /// Counts the node's own commits.
        var commits: UInt64 = 0
    }

    private let cache: ReadCache
    private let state = Mutex(State())
    private static let trustedFor: Duration = .milliseconds(250)
    /// How long a row is kept at least, in seconds of the server's clock. Rows may be gone before a
    /// slow node, or a slow transaction, would have been seen: `cache_horizon` tells of that.
    static let keptForSeconds = 300

    init(cache: ReadCache) {
        self.cache = cache
    }

    /// Whether it was asked so lately that the cache may be used.
    var isTrusted: Bool {
        state.withLock { state in state.trustedUntil.map { .now < $0 } ?? false }
    }

    /// A transaction of this node was committed: who asks next sees what it changed.
    func didCommit() {
        state.withLock { state in
            state.commits += 1
            state.trustedUntil = nil
        }
    }

    /// Returns false when somebody else is asking: then the cache is passed by.
    func begin() -> Bool {
        state.withLock { state in
            guard !state.isAsking else { return false }
            state.isAsking = true
            return true
        }
    }

    /// Drops from the cache what was changed since it was asked last. On a thread that may wait. If
    /// this throws, `end` is to be called.
    func ask(_ connection: PostgresConnection) throws {
        let start = ContinuousClock.now
        let (seen, commits) = state.withLock { ($0.seen, $0.commits) }
        let rows = try connection.all(Self.query, [seen?.snapshot ?? Self.nothing])
        let first = rows.first
        guard let snapshot = try first?["snapshot"] as String?, let server = try first?["server"] as String? else {
            return end()
        }
        let isPurged = try first?["is_purged"] as Bool? ?? true
        let isGapless = seen?.server == server && !isPurged
        // Freed when no lock is held.
        let dropped = isGapless ? nil : cache.empty()
        defer { withExtendedLifetime(dropped) {} }
        if isGapless { cache.drop(try Set(rows.compactMap(Self.change(row:)))) }
        state.withLock { state in
            (state.seen, state.isAsking) = ((snapshot, server), false)
            if state.commits == commits { state.trustedUntil = start + Self.trustedFor }
        }
    }

    /// The asking has failed.
    func end() {
        state.withLock { $0.isAsking = false }
    }

    /// A snapshot that has seen everything, so that the first question returns no rows.
    private static let nothing = "9223372036854775807:9223372036854775807:"

    /// One row for the snapshot, with the first change, if any, and a row for each other change. A
    /// copy that takes the database's place may have the same timeline and other changes. So
    /// `server` also has the start of the server, and the numbers of the database and of a table.
    private static let query = """
        SELECT pg_current_snapshot()::text AS snapshot,
            \(TransactionMark.currentTimeline) || ' ' || extract(epoch FROM pg_postmaster_start_time()) || ' '
                || 'cache_changes'::regclass::oid || ' '
                || (SELECT oid FROM pg_database WHERE datname = current_database()) AS server,
            EXISTS (SELECT FROM cache_horizon WHERE purged_through >= pg_snapshot_xmin($1::pg_snapshot)) AS is_purged,
            changes.account_id, changes.token_digest
        FROM (SELECT 1) AS one LEFT JOIN cache_changes AS changes
            ON changes.transaction >= pg_snapshot_xmin($1::pg_snapshot)
                AND NOT pg_visible_in_snapshot(changes.transaction, $1::pg_snapshot)
        """

    private static func change(row: PostgresRow) throws -> CachedChange? {
        guard let accountID = try row["account_id"] as AccountID? else { return nil }
        guard let digest = try row["token_digest"] as [UInt8]? else { return .account(accountID) }
        return .session(TokenDigest(bytes: digest), accountID: accountID)
    }
}
