import Crypto
import Essentials
import Foundation
import Hummingbird
import Serving

/// Carries the state, sealed; it ends with the browser.
struct StartCookie: Sendable {
    let key: SecretKey

    func state(in request: Request, _ cookies: SiteCookies) -> StartState? {
        cookies.value(.start, in: request).flatMap { key.opened($0, atMost: 1024, for: Self.use) }
    }

    func set(_ state: StartState, _ cookies: SiteCookies) throws -> Cookie {
        cookies.set(.start, try key.sealedText(state, for: Self.use))
    }

    private static let use = SealedUse.cookie(name: SiteCookies.Kind.start.rawValue)
}

extension SiteCookies.Kind {
    /// On an application's host: opens the application.
    static let application = SiteCookies.Kind(rawValue: "-app")
    /// On an application's host: what its tickets are bound to.
    static let start = SiteCookies.Kind(rawValue: "-start")
}

/// What a browser holds on an application's host: the secret that its tickets are bound to, and
/// where it was sent back to last although its cookie was good, so that a redirect loop ends.
struct StartState: Codable, Sendable {
    /// A `Token`'s text.
    let secret: String
    /// Digest of the target it was sent back to last.
    private(set) var returned = ""
    /// Seconds since 1970.
    private(set) var returnedAt: Double = 0
    /// How often it was sent back to that target in a row.
    private(set) var returns = 0

    /// Seconds; who comes back later is in no loop.
    private static let loopWindow: Double = 30
    /// Tabs of one page that are opened at once are sent back once each. A browser follows twenty
    /// redirects; a hand-over needs five of them, and each way back two.
    private static let mostReturns = 6

    init(from random: Randomness) {
        secret = Token(from: random).text
    }

    var browser: Token? { Token(presented: secret) }

    /// Whether it was sent back there again and again, and yet comes here.
    func isLooping(to target: String, now: Date) -> Bool {
        isAgain(target, now) && returns >= Self.mostReturns
    }

    func returning(to target: String, now: Date) -> StartState {
        var state = self
        state.returns = isAgain(target, now) ? returns + 1 : 1
        state.returned = Self.digest(target)
        state.returnedAt = now.timeIntervalSince1970
        return state
    }

    private func isAgain(_ target: String, _ now: Date) -> Bool {
        returned == Self.digest(target) && now.timeIntervalSince1970 - returnedAt < Self.loopWindow
    }

    private static func digest(_ target: String) -> String {
        Base64URL.encode([UInt8](SHA256.hash(data: Array(target.utf8)).prefix(12)))
    }
}
