import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// The token of a link from a mail. The first visit moves it from the address into a cookie, so
/// that no history, no log and no `Referer` keeps it. A browser holds the link it opened last.
struct LinkCookie: Sendable {
    /// What a link is for.
    enum Kind: String {
        case emailUndo = "undo"
        case mailedReset = "reset"

        /// The page behind the link, without a query.
        var page: String {
            switch self {
            case .emailUndo: "/account/email/undo"
            case .mailedReset: "/reset/continue"
            }
        }
    }

    let cookies: SiteCookies
    /// Seconds.
    private static let lifetime = 1800

    func token(_ kind: Kind, in request: Request) -> Token? {
        let (value, prefix) = (cookies.value(.link, in: request) ?? "", "\(kind.rawValue).")
        guard value.utf8.starts(with: prefix.utf8) else { return nil }
        return String(value.utf8.dropFirst(prefix.utf8.count)).flatMap(Token.init(presented:))
    }

    /// 303 to the page behind the link, with the token in a cookie.
    func moved(_ kind: Kind, _ token: Token) -> Response {
        let cookie = cookies.set(.link, "\(kind.rawValue).\(token.text)", maxAge: Self.lifetime)
        return seeOther(kind.page).setting(cookie).withoutReferrer
    }

    func clear() -> Cookie {
        cookies.clear(.link)
    }
}

extension Response {
    /// The answer to an address with a secret in it, which no other page may learn.
    var withoutReferrer: Response {
        var response = self
        if let name = SecurityHeaders.referrerPolicy { response.headers[name] = "no-referrer" }
        return response
    }
}
