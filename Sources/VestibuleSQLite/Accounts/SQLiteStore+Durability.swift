package import Essentials
package import Foundation
package import Vestibule
import VestibuleSQL

/// In which transaction that is done here that PostgreSQL does in another one: what is lost with
/// the machine's power cannot be used again on another machine.
extension SQLiteStore {
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
        try await writeRelaxed { try touch(id, now, $0) }
    }

    package func erase(_ erasure: AccountErasure) async throws -> Bool {
        guard try await write({ try erase(erasure, $0) }) else { return false }
        await cutLog()
        return true
    }

    package func beginSecondStep(_ login: PendingLogin, of signIn: ProvedSignIn) async throws {
        let isDurable = signIn.rehash != nil || signIn.identity != nil
        try await transaction(isDurable ? .plain : .relaxed) { try beginSecondStep(login, of: signIn, $0) }
    }

    package func tryPendingLogin(_ flow: TokenDigest, claims: [LimitClaim], now: Date) async throws -> Int? {
        try await writeRelaxed { try tryPendingLogin(flow, claims: claims, now: now, $0) }
    }

    package func redeem(_ redemption: TicketRedemption) async throws -> RedeemedTicket? {
        try await writeRelaxed { try redeem(redemption, $0) }
    }
}
