package import Essentials
import HTTPTypes
package import Hummingbird

/// The cookies of contract section 8. `__Host-` and `Secure` on https; plain names on http, where browsers refuse those.
package struct Cookies: Sendable {
    /// The cookies there are.
    package enum Kind: String, Sendable {
        case session = ""
        case device = "-device"
        case flow = "-flow"
        case link = "-link"
        case language = "-language"
        case flash = "-flash"
        case auth = "-auth"
        case authAnswer = "-auth-answer"
        case typed = "-typed"
    }

    let isSecure: Bool

    package init(publicURL: Origin) {
        isSecure = publicURL.isSecure
    }

    package func name(_ kind: Kind) -> String {
        (isSecure ? "__Host-vestibule" : "vestibule") + kind.rawValue
    }

    /// The first of that name (RFC 6265 section 4.2.1).
    package func value(_ kind: Kind, in request: Request) -> String? {
        let prefix = name(kind) + "="
        for line in request.headers[values: .cookie] {
            for pair in line.parts(by: ";") {
                if let value = pair.trimmingSpaces.after(prefix) { return String(value) }
            }
        }
        return nil
    }

    /// A cookie for this browser; without `maxAge` it ends with the browser.
    package func set(_ kind: Kind, _ value: String, maxAge: Int? = nil) -> Cookie {
        Cookie(
            name: name(kind), value: value, maxAge: maxAge, path: "/", secure: isSecure, httpOnly: true, sameSite: .lax
        )
    }

    package func clear(_ kind: Kind) -> Cookie {
        set(kind, "", maxAge: 0)
    }

    /// Days a browser stays known.
    static let deviceMaxAge = 365 * 86_400
    static let languageMaxAge = 365 * 86_400
}

extension Response {
    /// The same response, also setting that cookie.
    func setting(_ cookie: Cookie) -> Response {
        var response = self
        response.setCookie(cookie)
        return response
    }

    /// The same response, also making the browser known, if there is a cookie for it.
    func setting(_ cookies: Cookies, _ device: DeviceCookie?) -> Response {
        device.map { setting(cookies.set(.device, $0.text, maxAge: Cookies.deviceMaxAge)) } ?? self
    }
}
