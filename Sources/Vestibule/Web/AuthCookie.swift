import Essentials
import Foundation
import Hummingbird
import Serving

/// The cookies of a sign-in through a provider, sealed: what was begun or is pending, and an answer on its way.
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
