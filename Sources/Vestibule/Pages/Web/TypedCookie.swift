import Essentials
import Hummingbird
import Serving

/// What a visitor typed into one form and finds in the next: never the password.
struct Typed: Sendable, Codable, Equatable {
    var email = ""
    var displayName = ""
    /// Whether the boxes were ticked; nil if they were not seen.
    var remembers: Bool?
    var acceptsTerms: Bool?
    /// Where the visitor wanted to go; already checked.
    var returnTo: String?
    /// The mailbox was proved, and its address has an account.
    var hasAccount = false
    /// True for somebody who is signed in and has to add a second factor first.
    var awaitsFactor: Bool?
}

/// Carries what was typed from form to form, sealed, so that no address (URL) and no log holds it.
/// It ends with a sign-in or a sign-out, with the welcome page, or after an hour. While a second
/// factor has to be added, it keeps where the visitor wanted to go.
struct TypedCookie: Sendable {
    let cookies: SiteCookies
    let key: SecretKey
    /// Seconds; as long as a code flow.
    private static let lifetime = 3600
    /// Bytes of a field; longer ones are dropped.
    private static let fieldLimit = 320
    /// Bytes of the value: browsers drop a cookie of more than 4,096 with its attributes.
    private static let limit = 3900
    private static let cookie = SiteCookies.Kind.typed
    private static let use = SealedUse.cookie(name: cookie.rawValue)

    func typed(in request: Request) -> Typed? {
        cookies.value(Self.cookie, in: request).flatMap { key.opened($0, atMost: 8192, for: Self.use) }
    }

    func set(_ typed: Typed) throws -> Cookie {
        var kept = typed
        kept.email = Self.field(typed.email)
        kept.displayName = Self.field(typed.displayName)
        var text = try key.sealedText(kept, for: Self.use)
        if text.utf8.count > Self.limit {
            kept.returnTo = nil
            text = try key.sealedText(kept, for: Self.use)
        }
        return cookies.set(Self.cookie, text, maxAge: Self.lifetime)
    }

    /// Nothing of what is too long for its field, or holds what no keyboard types.
    private static func field(_ text: String) -> String {
        text.utf8.count > fieldLimit || text.utf8.contains { $0 < 0x20 } ? "" : text
    }
}

extension Response {
    /// The same response, which also makes the browser forget what was typed, if it holds any,
    /// unless the response has something for it to keep.
    func forgettingTyped(_ request: Request, _ web: Web) -> Response {
        guard web.cookies.value(.typed, in: request) != nil, !web.cookies.sets(.typed, in: self) else { return self }
        return setting(web.cookies.clear(.typed))
    }
}
