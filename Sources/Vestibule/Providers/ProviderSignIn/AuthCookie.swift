import Essentials
import Foundation
import Hummingbird
import Serving

/// The cookies of a sign-in through a provider, sealed: what was begun or is pending, and an answer
/// on its way.
struct AuthCookie: Sendable {
    let cookies: SiteCookies
    let key: SecretKey

    enum Slot { case flow, answer }

    func set(_ carried: AuthCarried) throws -> Cookie {
        let (kind, maxAge): (SiteCookies.Kind, Int) =
            switch carried {
            case .flow: (.auth, Int(AuthFlow.lifetime))
            case .pending: (.auth, Int(PendingIdentity.lifetime))
            case .answer: (.authAnswer, 60)
            }
        return cookies.set(kind, try carried.sealed(key, cookie: kind.rawValue), maxAge: maxAge)
    }

    func clear(_ slot: Slot) -> Cookie {
        cookies.clear(slot == .flow ? .auth : .authAnswer)
    }

    func flow(_ request: Request) -> AuthFlow? {
        if case .flow(let flow) = carried(.auth, request) { flow } else { nil }
    }

    func answer(_ request: Request) -> ProviderAnswer? {
        if case .answer(let answer) = carried(.authAnswer, request) { answer } else { nil }
    }

    func pending(_ request: Request, now: Date) -> PendingIdentity? {
        guard case .pending(let pending) = carried(.auth, request), now < pending.expiresAt else { return nil }
        return pending
    }

    private func carried(_ kind: SiteCookies.Kind, _ request: Request) -> AuthCarried? {
        cookies.value(kind, in: request).flatMap { AuthCarried(sealed: $0, key, cookie: kind.rawValue) }
    }
}

/// What the browser carries between the steps, sealed; each kind is told from the others.
enum AuthCarried: Sendable, Codable {
    case flow(AuthFlow)
    case answer(ProviderAnswer)
    case pending(PendingIdentity)

    /// As a cookie's value.
    func sealed(_ key: SecretKey, cookie: String) throws -> String {
        Base64URL.encode(try key.seal(CompactJSON.encode(self), for: .cookie(name: cookie)))
    }

    /// `nil` for anything that was not sealed by us for that cookie.
    init?(sealed text: String, _ key: SecretKey, cookie: String) {
        guard text.utf8.count <= 8192, let bytes = Base64URL.decode(text),
            let plain = try? key.open(bytes, for: .cookie(name: cookie)),
            let carried = try? JSONDecoder().decode(AuthCarried.self, from: Data(plain))
        else { return nil }
        self = carried
    }
}
