import Essentials

/// The pages of an account.
enum AccountSection: String, CaseIterable, Sendable {
    case profile, security, devices, activity, data

    var path: String { self == .profile ? "/account" : "/account/\(rawValue)" }
    var template: String { self == .profile ? "account" : "account/\(rawValue)" }
}

extension Web {
    /// Where somebody who is signed in goes: raised terms come first, wherever that is.
    func home(_ session: Session, wish: String?) -> String {
        guard session.awaitsTerms else {
            return session.awaitsFactor ? AccountSection.security.path : returnTo.destination(wish)
        }
        return link("/account/terms", returnTo: returnTo.granted(wish) ?? returnTo.afterLogin)
    }
}
