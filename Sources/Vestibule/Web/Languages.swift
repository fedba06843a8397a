import HTTPTypes
import Hummingbird

/// Chooses the language: what the visitor picked, else what the browser prefers (RFC 9110 section 12.5.4), else English.
struct Languages: Sendable {
    let locales: [String]
    let cookies: Cookies

    func choose(_ request: Request) -> String {
        if let picked = picked(request) ?? cookies.value(.language, in: request), locales.contains(picked) {
            return picked
        }
        return preferred(request)
    }

    /// What the browser prefers, whatever the visitor picked.
    func preferred(_ request: Request) -> String {
        request.headers[.acceptLanguage].flatMap(preferred) ?? locales[0]
    }

    /// The language of a followed language link.
    func picked(_ request: Request) -> String? {
        guard request.uri.query?.contains("lang=") == true else { return nil }
        return request.uri.queryParameters.get("lang").flatMap { locales.contains($0) ? $0 : nil }
    }

    private func preferred(_ header: String) -> String? {
        var best: (locale: String, quality: Double)?
        for range in header.prefix(1000).split(separator: ",") {
            let parts = range.split(separator: ";").map { $0.trimmingSpaces.lowercased() }
            guard let tag = parts.first else { continue }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            let code = tag.split(separator: "-").first.map(String.init) ?? tag
            guard let locale = tag == "*" ? locales[0] : locales.first(where: { $0 == code }) else { continue }
            if quality > best?.quality ?? 0 { best = (locale, quality) }
        }
        return best?.locale
    }
}
