import Essentials
import Foundation

/// Hands somebody who is signed in over to an application on a host of its own.
///
/// Cookies of one host reach no other, so the application's host gets one of its own: its browser
/// brings a sealed wish to the sign-in, takes a ticket back, and there the ticket becomes a cookie.
/// A ticket opens one application, once, for the browser that began, for 60 seconds.
struct HandOver: Sendable {
    let store: any HandOverStore
    let key: SecretKey
    let random: Randomness
    let now: @Sendable () -> Date

    /// Seconds; sign-up by mail and a reset fit in.
    private static let wishLifetime: TimeInterval = 3600
    private static let ticketLifetime: TimeInterval = 60
    /// Bytes of a target that a wish carries: as `return_to` it has 2,048 with the sealing.
    private static let longestTarget = 1100

    /// Where a browser wants to go, for the link to the sign-in.
    func sealed(_ wish: HandOverWish) throws -> String {
        let kept = SealedWish(wish.fitting(Self.longestTarget), madeAt: now())
        return Base64URL.encode(try key.seal(CompactJSON.encode(kept), for: .handOver))
    }

    /// What the link says. Returns nil if it was not made here, or longer than an hour ago.
    func wish(_ text: String) -> HandOverWish? {
        guard text.utf8.count <= 4096, let sealed = Base64URL.decode(text),
            let plain = try? key.open(sealed, for: .handOver),
            let kept = try? JSONDecoder().decode(SealedWish.self, from: Data(plain)),
            now().timeIntervalSince1970 - kept.madeAt < Self.wishLifetime
        else { return nil }
        return HandOverWish(kept)
    }

    /// A ticket for the session. Throws `Superseded` when the session has ended.
    func ticket(for wish: HandOverWish, _ record: SessionRecord) async throws -> Token {
        let ticket = Token(from: random)
        try await store.addTicket(
            NewTicket(
                digest: ticket.digest, session: record.presented, wish: wish,
                expiresAt: now().addingTimeInterval(Self.ticketLifetime)))
        return ticket
    }

    /// What comes of a ticket that was shown at that origin, and the token of the application's
    /// cookie. Returns nil if the ticket is unknown.
    func redeem(
        _ ticket: Token, at origin: Origin, browser: Token?
    ) async throws -> (ticket: RedeemedTicket, token: Token)? {
        let token = Token(from: random)
        let redeemed = try await store.redeem(
            TicketRedemption(
                digest: ticket.digest, origin: origin, browser: browser?.digest, token: token.digest, now: now()))
        return redeemed.map { ($0, token) }
    }
}
