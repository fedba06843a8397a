import Crypto
import HTTPTypes
package import Hummingbird
import NIOCore

/// Answers with pages: those equal for everybody from memory, the others rendered.
package struct Pages: Sendable {
    /// A page rendered at start.
    private struct Kept: Sendable {
        let body: ByteBuffer
        let etag: String
    }

    package let templates: Templates
    private let kept: [String: Kept]
    private static let shared = ["welcome", "login", "signup", "terms", "privacy"]

    package init(templates: Templates) throws {
        self.templates = templates
        var kept: [String: Kept] = [:]
        for locale in templates.locales {
            for name in Self.shared {
                let html = try templates.render(name, [:], locale: locale)
                let digest = SHA256.hash(data: Array(html.utf8)).prefix(12)
                kept["\(locale)/\(name)"] = Kept(
                    body: ByteBuffer(string: html), etag: "\"\(Base64URL.encode(digest))\"")
            }
        }
        self.kept = kept
    }

    /// A page that is the same for everybody, with an ETag (RFC 9110 section 8.8.3).
    package func shared(_ name: String, _ request: Request, _ context: AppContext) throws -> Response {
        guard let page = kept["\(context.visitor.locale)/\(name)"] else {
            return try render(name, [:], context)
        }
        var headers = Self.headers(context)
        headers[.eTag] = page.etag
        headers[.cacheControl] = "no-cache"
        headers[.vary] = "Accept-Language, Cookie"
        if request.headers[.ifNoneMatch] == page.etag {
            return Response(status: .notModified, headers: headers)
        }
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: page.body))
    }

    /// A page for this visitor only; never cached.
    package func render(
        _ name: String, _ values: Values, _ context: AppContext, status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let html = try templates.render(name, values, locale: context.visitor.locale)
        return Response(
            status: status, headers: Self.headers(context), body: .init(byteBuffer: ByteBuffer(string: html)))
    }

    /// The page's text in every language, as everybody sees it.
    func texts(of name: String) throws -> [String: String] {
        try templates.locales.reduce(into: [:]) { $0[$1] = try templates.render(name, [:], locale: $1) }
    }

    /// A sentence in the visitor's language.
    package func sentence(_ key: String, _ context: AppContext, _ values: Values = [:]) -> String {
        templates.sentence(key, values, locale: context.visitor.locale)
    }

    private static func headers(_ context: AppContext) -> HTTPFields {
        [.contentType: "text/html; charset=utf-8", .contentLanguage: context.visitor.locale]
    }
}

/// 303: the next page is fetched with GET.
package func seeOther(_ location: String) -> Response {
    Response(status: .seeOther, headers: [.location: location])
}
