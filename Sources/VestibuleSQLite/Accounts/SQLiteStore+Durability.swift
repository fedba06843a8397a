package import Essentials
package import Foundation
package import Vestibule
import VestibuleSQL

extension SQLiteStore {
    /// What is lost with the machine's power cannot be used again on another machine.
    package static var hasStandby: Bool { false }

    package func accountOverview(accountID: AccountID, events: Int, now: Date) async throws -> AccountOverview {
        if try await isCacheCurrent(), let known = cache.overview(accountID, events: events) {
            return known.alive(at: now)
        }
        let clock = cache.clock
        let overview = try await read { try readOverview(accountID, events, now, $0) }
        cache.keep(overview, of: accountID, events: events, readAt: clock)
        return overview
    }

    package func touchSession(id: SessionID, at now: Date) async throws {
        try await write(.relaxed) { try touch(id, now, $0) }
    }

    package func erase(_ erasure: AccountErasure) async throws -> Bool {
        guard try await write(.serializable, { try erase(erasure, $0) }) else { return false }
        await cutLog()
        return true
    }
}
