import Essentials
import Foundation
import Hummingbird
import Serving

/// Carries the state, sealed; it ends with the browser.
struct StartCookie: Sendable {
    let key: SecretKey

    func state(in request: Request, _ cookies: SiteCookies) -> StartState? {
        guard let text = cookies.value(.start, in: request), text.utf8.count <= 1024,
            let sealed = Base64URL.decode(text), let plain = try? key.open(sealed, for: Self.use)
        else { return nil }
        return try? JSONDecoder().decode(StartState.self, from: Data(plain))
    }

    func set(_ state: StartState, _ cookies: SiteCookies) throws -> Cookie {
        cookies.set(.start, Base64URL.encode(try key.seal(CompactJSON.encode(state), for: Self.use)))
    }

    private static let use = SealedUse.cookie(name: SiteCookies.Kind.start.rawValue)
}

extension SiteCookies.Kind {
    /// On an application's host: opens the application.
    static let application = SiteCookies.Kind(rawValue: "-app")
    /// On an application's host: what its tickets are bound to.
    static let start = SiteCookies.Kind(rawValue: "-start")
}
