import Essentials
import Hummingbird
import Serving

/// The pages of an account.
enum AccountSection: String, CaseIterable, Sendable {
    case profile, security, devices, activity, data

    var path: String { self == .profile ? "/account" : "/account/\(rawValue)" }
    var template: String { self == .profile ? "account" : "account/\(rawValue)" }
}

extension Web {
    /// Leads somebody who is signed in to raised terms first, then to where a second factor is
    /// added, if one is required, and then to what they wished for.
    func home(_ session: Session, wish: String?) throws -> Response {
        guard !session.awaitsTerms else {
            return seeOther(link("/account/terms", returnTo: returnTo.granted(wish) ?? returnTo.afterLogin))
        }
        return try homeAfterTerms(session, wish: wish)
    }

    /// The same, once the terms are accepted.
    func homeAfterTerms(_ session: Session, wish: String?) throws -> Response {
        session.awaitsFactor ? try addFactor(before: wish) : seeOther(returnTo.destination(wish))
    }

    /// To where a second factor is added; the browser keeps what was wished for.
    private func addFactor(before wish: String?) throws -> Response {
        let answer = seeOther(AccountSection.security.path)
        guard let wish = returnTo.granted(wish).map(returnTo.destination),
            !wish.isExactly(AccountSection.profile.path)
        else { return answer }
        return answer.setting(try typed.set(Typed(returnTo: wish, awaitsFactor: true)))
    }

    /// What was wished for before a second factor was required. Nil as long as one is.
    func wish(after request: Request, _ session: Session) -> String? {
        guard !session.awaitsFactor, let typed = typed.typed(in: request), typed.awaitsFactor == true else {
            return nil
        }
        return returnTo.granted(typed.returnTo)
    }
}
