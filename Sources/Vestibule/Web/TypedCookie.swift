import Foundation
import Hummingbird

/// What a visitor typed into one form and finds in the next: never the password.
struct Typed: Sendable, Codable, Equatable {
    var email = ""
    var displayName = ""
    /// Where the visitor wanted to go; already checked.
    var returnTo: String?
    /// The mailbox was proved, and its address has an account.
    var hasAccount = false
}

/// Carries what was typed from form to form, sealed, so that no address (URL) and no log holds it.
/// It ends with the sign-in, with the welcome page, or after an hour.
struct TypedCookie: Sendable {
    let cookies: Cookies
    let key: SecretKey
    /// Seconds; as long as a code flow.
    private static let lifetime = 3600
    /// Bytes of a field; longer ones are dropped.
    private static let fieldLimit = 320
    private static let cookie = Cookies.Kind.typed

    func typed(in request: Request) -> Typed? {
        guard let text = cookies.value(Self.cookie, in: request), text.utf8.count <= 8192,
            let sealed = Base64URL.decode(text),
            let plain = try? key.open(sealed, for: .cookie(name: Self.cookie.rawValue))
        else { return nil }
        return try? JSONDecoder().decode(Typed.self, from: Data(plain))
    }

    func set(_ typed: Typed) throws -> Cookie {
        var kept = typed
        if kept.email.utf8.count > Self.fieldLimit { kept.email = "" }
        if kept.displayName.utf8.count > Self.fieldLimit { kept.displayName = "" }
        let sealed = try key.seal([UInt8](JSONEncoder().encode(kept)), for: .cookie(name: Self.cookie.rawValue))
        return cookies.set(Self.cookie, Base64URL.encode(sealed), maxAge: Self.lifetime)
    }
}

extension Response {
    /// The same response, which also makes the browser forget what was typed, if it holds any.
    func forgettingTyped(_ request: Request, _ web: Web) -> Response {
        guard web.cookies.value(.typed, in: request) != nil else { return self }
        return setting(web.cookies.clear(.typed))
    }
}
