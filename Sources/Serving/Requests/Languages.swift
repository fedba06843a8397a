import Essentials
import HTTPTypes
package import Hummingbird

/// Chooses the language: what the visitor picked, else what the browser prefers (RFC 9110 section
/// 12.5.4), else English.
package struct Languages: Sendable {
    let locales: [String]
    let cookies: SiteCookies

    package init(locales: [String], cookies: SiteCookies) {
        self.locales = locales
        self.cookies = cookies
    }

    package func choose(_ request: Request) -> String {
        if let picked = picked(request) ?? cookies.value(.language, in: request),
            locales.contains(where: picked.isExactly)
        {
            return picked
        }
        return preferred(request)
    }

    /// What the browser prefers, whatever the visitor picked.
    package func preferred(_ request: Request) -> String {
        preferred(acceptLanguage: request.headers[.acceptLanguage])
    }

    func preferred(acceptLanguage: String?) -> String {
        acceptLanguage.flatMap(preferred) ?? locales[0]
    }

    /// The language of a followed language link.
    package func picked(_ request: Request) -> String? {
        guard request.uri.query?.holds("lang=") == true else { return nil }
        return request.uri.queryParameters.get("lang").flatMap { locales.contains(where: $0.isExactly) ? $0 : nil }
    }

    private func preferred(_ header: String) -> String? {
        var best: (locale: String, quality: Double)?
        for range in String(decoding: header.utf8.prefix(1000), as: UTF8.self).parts(by: ",") {
            let parts = range.parts(by: ";").map(\.trimmingSpaces.asciiLowercased)
            guard let tag = parts.first else { continue }
            let quality = parts.dropFirst().lazy.compactMap { $0.after("q=") }.first.flatMap { Double($0) } ?? 1
            guard let locale = tag == "*" ? locales[0] : locale(of: tag) else { continue }
            if quality > best?.quality ?? 0 { best = (locale, quality) }
        }
        return best?.locale
    }

    /// The language of a tag in lower case, or of the longest part of it that there is: for
    /// `zh-hant-tw` of `zh-Hant`, then of `zh` (RFC 4647 section 3.4).
    private func locale(of tag: String) -> String? {
        locales.filter { "\(tag)-".begins(with: "\($0.asciiLowercased)-") }.max { $0.utf8.count < $1.utf8.count }
    }
}
