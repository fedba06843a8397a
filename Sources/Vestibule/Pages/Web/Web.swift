import Essentials
import Foundation
import Hummingbird
import Serving

/// What every feature's routes use to answer.
struct Web: Sendable {
    let pages: Pages
    let cookies: SiteCookies
    let key: SecretKey
    let publicURL: PublicURL
    let returnTo: ReturnTo
    let destinations: Destinations
    let audit: Audit
    let now: @Sendable () -> Date

    var typed: TypedCookie { TypedCookie(cookies: cookies, key: key) }
    var flashes: FlashCookie { FlashCookie(cookies: cookies, key: key, now: now) }
}

/// Where visitors may be led after a form.
struct Destinations: Sendable {
    let headers: SecurityHeaders
    /// The application that a granted wish leads to, if it is one.
    let application: @Sendable (String) -> ProtectedApplication?
}

/// Keeps where the visitor wanted to go through forms and links.
enum LinkValues {
    static func of(_ request: Request, _ web: Web) -> Values {
        of(request.uri.queryParameters.get("return_to"), web)
    }

    /// From a form's hidden field. `return_to` fills the field, `return_to_encoded` the links;
    /// `app` is where that leads, and `policy` lets the page's forms lead there.
    static func of(_ wish: String?, _ web: Web) -> Values {
        guard let granted = web.returnTo.granted(wish) else { return [:] }
        let values: Values = ["return_to": granted, "return_to_encoded": granted.queryEncoded]
        guard let application = web.destinations.application(granted) else { return values }
        let policy = web.destinations.headers.policy(alsoTo: application.formTargets)
        return values.merging(["app": app(application), "policy": policy]) { $1 }
    }

    /// Its name, and its picture or first letter.
    static func app(_ application: ProtectedApplication) -> Values {
        // Characters: the label is the operator's.
        let initial = String(application.label.unicodeScalars.prefix(1)).uppercased()
        // Without a value, the one of what is around it would be shown.
        return ["label": application.label, "icon": application.icon ?? false, "initial": initial]
    }
}

extension Web {
    /// A page of this site, with where the visitor wanted to go, if that may be granted.
    func link(_ page: String, returnTo wish: String?) -> String {
        guard let query = LinkValues.of(wish, self)["return_to_encoded"] as? String else { return page }
        return page + (page.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + "return_to=\(query)"
    }
}
