package import Essentials
package import HTTPTypes
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
        self.init(isSecure: publicURL.isSecure)
    }

    init(isSecure: Bool) {
        self.isSecure = isSecure
    }

    func name(_ kind: Kind) -> String {
        site + kind.rawValue
    }

    /// How all names begin.
    var site: String { isSecure ? "__Host-vestibule" : "vestibule" }

    /// The first of that name (RFC 6265 section 4.2.1).
    package func value(_ kind: Kind, in request: Request) -> String? {
        value(kind, in: request.headers)
    }

    /// The same, of a request's headers.
    package func value(_ kind: Kind, in headers: HTTPFields) -> String? {
        value(kind, inLines: headers[values: .cookie])
    }

    /// The same, of a proxy's question.
    package func value(_ kind: Kind, in fields: QuestionFields) -> String? {
        value(kind, inLines: fields.cookies)
    }

    private func value(_ kind: Kind, inLines lines: [String]) -> String? {
        for line in lines {
            var rest = Substring(line).utf8
            while true {
                let pair = rest.prefix { $0 != UInt8(ascii: ";") }
                if let value = value(kind, ofPair: pair), value.isStreamSafe { return value }
                rest = rest[pair.endIndex...]
                guard rest.popFirst() != nil else { break }
            }
        }
        return nil
    }

    private func value(_ kind: Kind, ofPair pair: Substring.UTF8View) -> String? {
        let named = Substring(pair.drop { $0 == 0x20 || $0 == 0x09 })
        return named.after(site)?.after(kind.rawValue)?.after("=")?.trimmingSpaces
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

    /// Whether the answer sets that cookie, or clears it.
    package func sets(_ kind: Kind, in response: Response) -> Bool {
        let prefix = name(kind) + "="
        return response.headers[values: .setCookie].contains { $0.begins(with: prefix) }
    }

    /// Seconds a language that was picked is remembered.
    package static let languageMaxAge = 365 * 86_400
}

extension SiteCookies {
    /// The cookies of a proxy's question that are not ours, in one line; empty without any. Ours
    /// are all names that begin as ours do on https or http, so that those of other versions are.
    package static func others(in fields: QuestionFields) -> String {
        fields.cookies.flatMap { $0.parts(by: ";") }.map(\.trimmingSpaces).filter { !$0.isEmpty && !isOurs($0) }
            .joined(separator: "; ")
    }

    private static func isOurs(_ pair: String) -> Bool {
        names.contains { pair.begins(with: $0) }
    }

    /// How all names begin, on https and on http.
    private static let names = [true, false].map { SiteCookies(isSecure: $0).site }
}

extension Response {
    /// The same response, also setting that cookie.
    package func setting(_ cookie: Cookie) -> Response {
        var response = self
        response.setCookie(cookie)
        return response
    }
}
