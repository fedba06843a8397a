import Essentials
import HTTPTypes
import Hummingbird
import Serving

extension Web {
    var links: LinkCookie { LinkCookie(cookies: cookies, key: key) }
}

/// What a link in a mail is for. A feature that mails one declares its kind.
struct LinkKind: Sendable {
    /// Names it in the cookie: no two kinds have the same.
    let name: String
    /// The page behind the link, without a query.
    let page: String
}

/// The token of a link from a mail. The first visit moves it from the address into a cookie, so
/// that no history, no log and no `Referer` keeps it. A browser holds the link it opened last;
/// a form carries the one that its page was made for, so that none that is opened meanwhile, by
/// another site perhaps, takes its place.
struct LinkCookie: Sendable {
    let cookies: SiteCookies
    let key: SecretKey
    /// Seconds.
    private static let lifetime = 1800

    /// What the link carried, unread. `form` is nil for a visit to the page.
    func text(_ kind: LinkKind, _ form: Form?, in request: Request) -> String? {
        if let form, form.holds("link") { return opened(kind, form["link"]) }
        let (value, prefix) = (cookies.value(.link, in: request) ?? "", "\(kind.name).")
        guard value.utf8.starts(with: prefix.utf8) else { return nil }
        return String(value.utf8.dropFirst(prefix.utf8.count))
    }

    /// The link, sealed for a form.
    func sealed(_ kind: LinkKind, _ text: String) throws -> String {
        Base64URL.encode(try key.seal(Array(text.utf8), for: .link(name: kind.name)))
    }

    private func opened(_ kind: LinkKind, _ field: String) -> String? {
        let bytes = Base64URL.decode(field).flatMap { try? key.open($0, for: .link(name: kind.name)) }
        return bytes.flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// 303 to the page behind the link, its text in a cookie. It was checked, so it fits.
    func moved(_ kind: LinkKind, _ text: String) -> Response {
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
