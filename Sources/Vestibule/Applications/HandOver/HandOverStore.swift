package import Essentials
package import Foundation

/// The store's part of handing a signed-in visitor over to an application on a host of its own.
package protocol HandOverStore: Sendable {
    /// Keeps a ticket, and of those of its session no more than `NewTicket.mostPerSession`. Throws
    /// `Superseded`.
    func addTicket(_ ticket: NewTicket) async throws
    /// The token of the session that a ticket was given for; nil if the ticket is unknown.
    func ticketSession(_ ticket: TokenDigest) async throws -> TokenDigest?
    /// Ends the ticket, whatever comes of it, and starts the application's session in place of the
    /// one that the session has there, in one transaction. Returns nil if the ticket is unknown.
    func redeem(_ redemption: TicketRedemption) async throws -> RedeemedTicket?
    /// The session behind an application's cookie; nil when unknown, or when the account is
    /// disabled.
    func applicationSession(_ digest: TokenDigest) async throws -> ApplicationSession?
    /// What `applicationSession` would return now, without waiting. Nil if that has to be asked.
    func rememberedApplicationSession(_ digest: TokenDigest) -> ApplicationSession?
}

/// A ticket about to be stored: opens one application, once, for one browser.
package struct NewTicket: Sendable {
    /// One more ends the oldest: so many pages may a browser open at once.
    package static let mostPerSession = 20

    package let digest: TokenDigest
    /// Worth nothing once another token has taken the place of the one that was presented.
    package let session: PresentedSession
    package let wish: HandOverWish
    package let expiresAt: Date
}

/// A ticket as it came back.
package struct TicketRedemption: Sendable {
    package let digest: TokenDigest
    /// Where it was shown.
    package let origin: Origin
    /// Nil if the browser brought none.
    package let browser: TokenDigest?
    /// What is to open the application's session.
    package let token: TokenDigest
    /// Whether a session that waits for a second factor is refused.
    package let requiresFactor: Bool
    package let now: Date
}

/// What came of a ticket that was known.
package struct RedeemedTicket: Sendable, Equatable {
    package enum Outcome: Sendable, Equatable {
        /// The application's session was started.
        case entered(Session)
        /// Of another browser: the cookie did not come back, or somebody else's ticket was shown.
        case otherBrowser
        /// Too late, at another origin, or its session has ended meanwhile.
        case spent
    }

    package let outcome: Outcome
    /// Text of the request target that was asked for.
    package let target: String
    package let isRetry: Bool

    package init(outcome: Outcome, target: String, isRetry: Bool) {
        self.outcome = outcome
        self.target = target
        self.isRetry = isRetry
    }
}

/// A session as an application's cookie opens it. Shared, as every request to an application reads
/// one.
package final class ApplicationSession: Sendable {
    package let record: SessionRecord
    /// Text of the origin that the cookie was made for; it opens nothing at another.
    package let origin: String

    package init(record: SessionRecord, origin: String) {
        self.record = record
        self.origin = origin
    }
}
