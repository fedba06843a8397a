import Foundation
import GRDB
import NIOPosix
import Synchronization
import Testing

@testable import Essentials
@testable import Vestibule
@testable import VestibuleSQL
@testable import VestibuleSQLite

/// Before each commit of a store it puts every session and every overview into its cache;
/// afterwards whatever is still there has to equal what the database holds. So every write of every
/// suite has to drop what it changes.
final class CacheCheck: TransactionObserver, Sendable {
    private struct Filled {
        var digests: [TokenDigest] = []
        var accounts: [AccountID] = []
    }

    private let cache: ReadCache
    private let writer: NIOThreadPool
    /// Reads the same file past the cache.
    private let fresh: SQLiteStore
    private let filled = Mutex(Filled())
    /// A number that no test asks for.
    private static let events = 97
    /// Commits to larger stores are not checked.
    private static let mostAccounts = 40

    static func attach(to store: SQLiteStore, path: String) throws {
        let fresh = try SQLiteStore(path: path).closedWithTest()
        let check = CacheCheck(cache: store.cache, writer: store.writer, fresh: fresh)
        store.database.add(transactionObserver: check, extent: .databaseLifetime)
    }

    private init(cache: ReadCache, writer: NIOThreadPool, fresh: SQLiteStore) {
        self.cache = cache
        self.writer = writer
        self.fresh = fresh
    }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidRollback(_ database: Database) {}

    /// Others see what was committed before.
    func databaseWillCommit() throws {
        let clock = cache.clock
        let filled = try fresh.database.unsafeRead { database in
            let accounts = try String.fetchAll(database, sql: "SELECT id FROM accounts").map(AccountID.init(rawValue:))
            guard accounts.count <= Self.mostAccounts else { return Filled() }
            let digests = try Data.fetchAll(database, sql: "SELECT token_digest FROM sessions")
                .map { TokenDigest(bytes: [UInt8]($0)) }
            for digest in digests {
                guard let record = try fresh.readSession(digest, database) else { continue }
                cache.keep(record, for: digest, readAt: clock)
            }
            for id in accounts { cache.keep(try overview(id, database), of: id, events: Self.events, readAt: clock) }
            return Filled(digests: digests, accounts: accounts)
        }
        self.filled.withLock { $0 = filled }
    }

    /// Compares when the writer has told everybody, and before it goes on.
    func databaseDidCommit(_ database: Database) {
        let filled = self.filled.withLock { $0 }
        writer.submit { [self] _ in
            #expect(throws: Never.self) { try compare(filled) }
        }
    }

    private func compare(_ filled: Filled) throws {
        try fresh.database.unsafeRead { database in
            for digest in filled.digests {
                guard let known = cache.session(digest) else { continue }
                let truth = try fresh.readSession(digest, database)
                #expect(known == truth, "a session in the cache is not what the database holds")
            }
            for id in filled.accounts {
                guard let known = cache.overview(id, events: Self.events) else { continue }
                let truth = try overview(id, database)
                #expect(known == truth, "an overview in the cache is not what the database holds")
            }
        }
    }

    /// With sessions that have expired.
    private func overview(_ accountID: AccountID, _ database: Database) throws -> AccountOverview {
        try fresh.readOverview(accountID, Self.events, .distantPast, database)
    }
}
