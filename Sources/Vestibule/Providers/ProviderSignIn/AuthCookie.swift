import Essentials
import Foundation
import Hummingbird
import Serving

extension Web {
    var auth: AuthCookie { AuthCookie(cookies: cookies, key: key) }
}

/// The cookies of a sign-in through a provider, sealed: what was begun, an answer on its way, and
/// what is pending, which stays while its owner signs in through another provider.
struct AuthCookie: Sendable {
    let cookies: SiteCookies
    let key: SecretKey

    func set(_ carried: AuthCarried) throws -> Cookie {
        let (kind, maxAge): (SiteCookies.Kind, Int) =
            switch carried {
            // Longer than what they carry is good for, so that who comes too late is told.
            case .flow: (.auth, 3 * Int(AuthFlow.lifetime))
            case .pending: (.authPending, 2 * Int(PendingIdentity.lifetime))
            case .answer: (.authAnswer, 60)
            }
        return cookies.set(kind, try key.sealedText(carried, for: .cookie(name: kind.rawValue)), maxAge: maxAge)
    }

    func flow(_ request: Request) -> AuthFlow? {
        if case .flow(let flow) = carried(.auth, request) { flow } else { nil }
    }

    func answer(_ request: Request) -> ProviderAnswer? {
        if case .answer(let answer) = carried(.authAnswer, request) { answer } else { nil }
    }

    func pending(_ request: Request, now: Date) -> PendingIdentity? {
        guard case .pending(let pending) = carried(.authPending, request), now < pending.expiresAt else { return nil }
        return pending
    }

    private func carried(_ kind: SiteCookies.Kind, _ request: Request) -> AuthCarried? {
        cookies.value(kind, in: request).flatMap { key.opened($0, atMost: 8192, for: .cookie(name: kind.rawValue)) }
    }
}

/// What the browser carries between the steps, sealed; each kind is told from the others.
enum AuthCarried: Sendable, Codable {
    case flow(AuthFlow)
    case answer(ProviderAnswer)
    case pending(PendingIdentity)
}
