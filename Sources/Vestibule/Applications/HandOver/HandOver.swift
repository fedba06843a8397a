package import Essentials
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
        try key.sealedText(SealedWish(wish.fitting(Self.longestTarget), madeAt: now()), for: .handOver)
    }

    /// What the link says. Returns nil if it was not made here, or longer than an hour ago.
    func wish(_ text: String) -> HandOverWish? {
        guard let kept = key.opened(text, atMost: 4096, for: .handOver, as: SealedWish.self),
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
        _ ticket: Token, at origin: Origin, browser: Token?, requiresFactor: Bool
    ) async throws -> (ticket: RedeemedTicket, token: Token)? {
        guard let session = try await store.ticketSession(ticket.digest) else { return nil }
        let token = token(of: session, at: origin, in: browser)
        let redeemed = try await store.redeem(
            TicketRedemption(
                digest: ticket.digest, origin: origin, browser: browser?.digest, token: token.digest,
                requiresFactor: requiresFactor, now: now()))
        return redeemed.map { ($0, token) }
    }

    /// Pages that a browser opens at once come with a ticket each. They get the same token, as each
    /// would undo the one before with a token of its own. A session's new token makes another one.
    private func token(of session: TokenDigest, at origin: Origin, in browser: Token?) -> Token {
        let made = session.bytes + Array((browser?.text ?? "").utf8) + Array(origin.text.utf8)
        return Token(bytes: key.mac(.application, made))
    }
}

/// Where a browser wants to go on an application's host.
package struct HandOverWish: Sendable, Equatable {
    package let origin: Origin
    package let target: RequestTarget
    /// Digest of the secret that the browser holds in its cookie on that host.
    package let browser: TokenDigest
    /// Whether it is the second try.
    package let isRetry: Bool

    /// Without the query, or for the application's first page, where the target is longer.
    func fitting(_ bytes: Int) -> HandOverWish {
        guard target.text.utf8.count > bytes else { return self }
        let path = String(target.text.parts(by: "?", atMost: 2)[0])
        let shorter = RequestTarget(path.utf8.count > bytes ? "/" : path) ?? target
        return HandOverWish(origin: origin, target: shorter, browser: browser, isRetry: isRetry)
    }
}

/// A wish as the link to the sign-in carries it, sealed; its names are short for the link's sake.
struct SealedWish: Codable {
    let origin: String
    let target: String
    /// As base64url.
    let browser: String
    let isRetry: Bool
    /// Seconds since 1970.
    let madeAt: Double

    init(_ wish: HandOverWish, madeAt: Date) {
        origin = wish.origin.text
        target = wish.target.text
        browser = Base64URL.encode(wish.browser.bytes)
        isRetry = wish.isRetry
        self.madeAt = madeAt.timeIntervalSince1970
    }

    private enum CodingKeys: String, CodingKey {
        case origin = "o"
        case target = "t"
        case browser = "b"
        case isRetry = "r"
        case madeAt = "m"
    }
}

extension HandOverWish {
    /// Returns nil if that names no origin or target.
    init?(_ kept: SealedWish) {
        guard let origin = Origin(kept.origin), let target = RequestTarget(kept.target),
            let browser = Base64URL.decode(kept.browser)
        else { return nil }
        self.init(origin: origin, target: target, browser: TokenDigest(bytes: browser), isRetry: kept.isRetry)
    }
}
