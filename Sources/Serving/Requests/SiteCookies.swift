package import Essentials
import HTTPTypes
package import Hummingbird

/// The cookies of contract section 8. `__Host-` and `Secure` on https; plain names on http, where
/// browsers refuse those.
package struct SiteCookies: Sendable {
    /// Which cookie; features declare theirs. The raw value ends its name.
    package struct Kind: Sendable, Hashable, RawRepresentable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package static let language = Kind(rawValue: "-language")
        package static let flash = Kind(rawValue: "-flash")
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

    /// Seconds a language that was picked is remembered.
    package static let languageMaxAge = 365 * 86_400
}

extension Response {
    /// The same response, also setting that cookie.
    package func setting(_ cookie: Cookie) -> Response {
        var response = self
        response.setCookie(cookie)
        return response
    }
}
