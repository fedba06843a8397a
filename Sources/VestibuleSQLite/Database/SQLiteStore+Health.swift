import Essentials
package import Foundation
import GRDB
import Synchronization
import Vestibule
import VestibuleSQL

extension SQLiteStore {
    package func checkConnections() {}

    package func serverTime() async throws -> Date? { nil }

    package func checkReadable(now: Date) async throws {
        try damage.check()
        let nobody = TokenDigest(bytes: Array(repeating: 0, count: 32))
        _ = try await loginRecord(emailKey: "", failuresKey: nobody.bytes)
        _ = try await pendingSignup(flow: nobody, now: now)
        _ = try await session(nobody)
        try await read { [walk] database in
            for (table, key) in [("accounts", "email_key"), ("sessions", "token_digest")] {
                let newest = "SELECT \(key) FROM \(table) ORDER BY rowid DESC LIMIT 1"
                _ = try database.one("SELECT * FROM \(table) WHERE \(key) = (\(newest))")
            }
            try walk.advance(database)
        }
    }
}

/// Remembers that SQLite has met a damaged page: the next request may need another one and be
/// answered.
final class DamageNote: Sendable {
    private let first = Mutex<String?>(nil)

    /// Keeps the first message that tells of damage.
    func note(_ error: DatabaseError) {
        guard [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode.primaryResultCode) else { return }
        first.withLock { $0 = $0 ?? "\(error.resultCode): \(error.message ?? "")" }
    }

    /// Throws `StoreUnavailable` once damage was met, until the store is opened anew.
    func check() throws {
        guard let first = first.withLock({ $0 }) else { return }
        throw StoreUnavailable("damage was met: \(first); restore a backup and restart", .damaged)
    }
}
