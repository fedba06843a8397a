package import Essentials
package import Foundation
package import Vestibule
import VestibuleSQL

/// In which transaction that is done here that SQLite does in another one.
extension PostgresStore {
    package func accountOverview(accountID: AccountID, events: Int, now: Date) async throws -> AccountOverview {
        try await read { try readOverview(accountID, events, now, $0) }
    }

    package func touchSession(id: SessionID, at now: Date) async throws {
        try await writeRelaxed { try touch(id, now, $0) }
        changes.didCommit()
    }

    package func erase(_ erasure: AccountErasure) async throws -> Bool {
        try await write { try erase(erasure, $0) }
    }

    package func beginSecondStep(_ login: PendingLogin, of signIn: ProvedSignIn) async throws {
        try await write { try beginSecondStep(login, of: signIn, $0) }
    }

    package func tryPendingLogin(_ flow: TokenDigest, claims: [LimitClaim], now: Date) async throws -> Int? {
        try await writePlain { try tryPendingLogin(flow, claims: claims, now: now, $0) }
    }

    /// Durable, so that no ticket works again after a fail-over.
    package func redeem(_ redemption: TicketRedemption) async throws -> RedeemedTicket? {
        try await write { try redeem(redemption, $0) }
    }
}
