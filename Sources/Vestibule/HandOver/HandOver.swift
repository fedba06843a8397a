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
    func sealed(_ wish: Wish) throws -> String {
        Base64URL.encode(try key.seal(CompactJSON.encode(wish.fitting(Self.longestTarget)), for: .handOver))
    }

    /// What the link says. Returns nil if it was not made here, or longer than an hour ago.
    func wish(_ text: String) -> Wish? {
        guard text.utf8.count <= 4096, let sealed = Base64URL.decode(text),
            let plain = try? key.open(sealed, for: .handOver),
            let wish = try? JSONDecoder().decode(Wish.self, from: Data(plain)),
            now().timeIntervalSince1970 - wish.madeAt < Self.wishLifetime
        else { return nil }
        return wish
    }

    func wish(at origin: Origin, for target: RequestTarget, browser: Token, isRetry: Bool) -> Wish {
        Wish(
            origin: origin.text, target: target.text, browser: Base64URL.encode(browser.digest.bytes), isRetry: isRetry,
            madeAt: now().timeIntervalSince1970)
    }

    /// A ticket for the session. Returns nil for a wish that names no origin or target. Throws
    /// `Superseded` when the session has ended.
    func ticket(for wish: Wish, _ record: SessionRecord) async throws -> Token? {
        guard let origin = Origin(wish.origin), let target = RequestTarget(wish.target),
            let browser = Base64URL.decode(wish.browser)
        else { return nil }
        let ticket = Token(from: random)
        try await store.addTicket(
            NewTicket(
                digest: ticket.digest, sessionID: record.session.id, accountID: record.account.id, origin: origin,
                browser: TokenDigest(bytes: browser), target: target, isRetry: wish.isRetry,
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

    /// Where a browser wants to go.
    struct Wish: Codable, Sendable, Equatable {
        let origin: String
        let target: String
        /// SHA-256 of what it holds in its cookie on the application's host, as base64url.
        let browser: String
        let isRetry: Bool
        /// Seconds since 1970.
        let madeAt: Double

        /// Without the query, or for the application's first page, where the target is longer.
        func fitting(_ bytes: Int) -> Wish {
            guard target.utf8.count > bytes else { return self }
            let path = String(target.parts(by: "?", atMost: 2)[0])
            return Wish(
                origin: origin, target: path.utf8.count > bytes ? "/" : path, browser: browser, isRetry: isRetry,
                madeAt: madeAt)
        }

        private enum CodingKeys: String, CodingKey {
            case origin = "o"
            case target = "t"
            case browser = "b"
            case isRetry = "r"
            case madeAt = "m"
        }
    }
}
