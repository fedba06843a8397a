import Essentials
import HTTPTypes
import Hummingbird
import Serving

extension Web {
    var links: LinkCookie { LinkCookie(cookies: cookies) }
}

/// What a link in a mail is for. A feature that mails one declares its kind.
struct LinkKind: Sendable {
    /// Names it in the cookie: no two kinds have the same.
    let name: String
    /// The page behind the link, without a query.
    let page: String
}

/// The token of a link from a mail. The first visit moves it from the address into a cookie, so
/// that no history, no log and no `Referer` keeps it. A browser holds the link it opened last.
struct LinkCookie: Sendable {
    let cookies: SiteCookies
    /// Seconds.
    private static let lifetime = 1800

    func token(_ kind: LinkKind, in request: Request) -> Token? {
        text(kind, in: request).flatMap(Token.init(presented:))
    }

    /// What the link carried, unread.
    func text(_ kind: LinkKind, in request: Request) -> String? {
        let (value, prefix) = (cookies.value(.link, in: request) ?? "", "\(kind.name).")
        guard value.utf8.starts(with: prefix.utf8) else { return nil }
        return String(value.utf8.dropFirst(prefix.utf8.count))
    }

    /// 303 to the page behind the link, with the token in a cookie.
    func moved(_ kind: LinkKind, _ token: Token) -> Response {
        moved(kind, text: token.text)
    }

    /// The same with a text that was opened before: it fits a cookie.
    func moved(_ kind: LinkKind, text: String) -> Response {
        let cookie = cookies.set(.link, "\(kind.name).\(text)", maxAge: Self.lifetime)
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
