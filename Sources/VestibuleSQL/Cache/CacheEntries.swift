import Essentials
import Vestibule

/// Sessions and overviews by account, with an estimate of the memory they take.
package struct CacheEntries {
    private struct Kept<Value> {
        let value: Value
        let bytes: Int
    }

    private struct Entry {
        /// Where it stands in `ids`.
        var place: Int
        var sessions: Set<TokenDigest> = []
        var applicationSessions: Set<TokenDigest> = []
        /// By how many events were asked for.
        var overviews: [Int: Kept<AccountOverview>] = [:]
    }

    private var sessions: [TokenDigest: Kept<SessionRecord>] = [:]
    private var applicationSessions: [TokenDigest: Kept<ApplicationSession>] = [:]
    private var accounts: [AccountID: Entry] = [:]
    /// Of all accounts, in no order, so that one can be drawn at random.
    private var ids: [AccountID] = []
    private(set) var bytes = 0

    func session(_ digest: TokenDigest) -> SessionRecord? { sessions[digest]?.value }

    func applicationSession(_ digest: TokenDigest) -> ApplicationSession? { applicationSessions[digest]?.value }

    func overview(_ accountID: AccountID, events: Int) -> AccountOverview? {
        accounts[accountID]?.overviews[events]?.value
    }

    mutating func put(_ record: SessionRecord, for digest: TokenDigest) {
        remove(digest)
        enter(record.accountID)
        let kept = Kept(value: record, bytes: record.estimatedBytes)
        sessions[digest] = kept
        accounts[record.accountID]?.sessions.insert(digest)
        bytes += kept.bytes
    }

    mutating func put(_ session: ApplicationSession, for digest: TokenDigest) {
        let accountID = session.record.account.id
        bytes -= applicationSessions[digest]?.bytes ?? 0
        enter(accountID)
        let kept = Kept(value: session, bytes: session.record.estimatedBytes)
        applicationSessions[digest] = kept
        accounts[accountID]?.applicationSessions.insert(digest)
        bytes += kept.bytes
    }

    mutating func put(_ overview: AccountOverview, of accountID: AccountID, events: Int) {
        enter(accountID)
        let kept = Kept(value: overview, bytes: overview.estimatedBytes)
        let before = accounts[accountID]?.overviews.updateValue(kept, forKey: events)
        bytes += kept.bytes - (before?.bytes ?? 0)
    }

    mutating func drop(_ change: CachedChange) {
        switch change {
        case .account(let accountID):
            remove(accountID)
        case .session(let digest, let accountID):
            remove(digest)
            removeApplicationSessions(accountID)
            removeOverviews(accountID)
        case .overview(let accountID):
            removeOverviews(accountID)
        }
    }

    /// Drops accounts at random until no more is kept than that: nobody can choose which.
    mutating func shrink(to most: Int) {
        while bytes > most, let accountID = ids.randomElement() { remove(accountID) }
    }

    private mutating func enter(_ accountID: AccountID) {
        guard accounts[accountID] == nil else { return }
        accounts[accountID] = Entry(place: ids.count)
        ids.append(accountID)
    }

    private mutating func remove(_ digest: TokenDigest) {
        guard let kept = sessions.removeValue(forKey: digest) else { return }
        bytes -= kept.bytes
        accounts[kept.value.account.id]?.sessions.remove(digest)
    }

    /// Each shows its session, which may be the one that changed.
    private mutating func removeApplicationSessions(_ accountID: AccountID) {
        for digest in accounts[accountID]?.applicationSessions ?? [] {
            bytes -= applicationSessions.removeValue(forKey: digest)?.bytes ?? 0
        }
        accounts[accountID]?.applicationSessions = []
    }

    private mutating func removeOverviews(_ accountID: AccountID) {
        guard let entry = accounts[accountID] else { return }
        guard !entry.sessions.isEmpty || !entry.applicationSessions.isEmpty else { return remove(accountID) }
        bytes -= entry.overviews.values.reduce(0) { $0 + $1.bytes }
        accounts[accountID]?.overviews = [:]
    }

    private mutating func remove(_ accountID: AccountID) {
        removeApplicationSessions(accountID)
        guard let entry = accounts.removeValue(forKey: accountID) else { return }
        for digest in entry.sessions { bytes -= sessions.removeValue(forKey: digest)?.bytes ?? 0 }
        bytes -= entry.overviews.values.reduce(0) { $0 + $1.bytes }
        // The last one takes the place that is free now.
        let last = ids.removeLast()
        guard entry.place < ids.count else { return }
        ids[entry.place] = last
        accounts[last]?.place = entry.place
    }
}
