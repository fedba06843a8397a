import Crypto
import HTTPTypes
package import Hummingbird
import NIOCore

/// Answers with pages: those equal for everybody from memory, the others rendered.
package struct Pages: Sendable {
    package let templates: Templates
    /// Pages rendered at start, by name and language.
    let shared: [String: [String: KeptBody]]
    private static let sharedNames = ["welcome", "login", "signup", "reset", "terms", "privacy"]

    package init(templates: Templates) throws {
        self.templates = templates
        var shared: [String: [String: KeptBody]] = [:]
        for locale in templates.locales {
            for name in Self.sharedNames {
                let html = try templates.render(name, Self.keptForm(name), locale: locale)
                let etag = Base64URL.encode(SHA256.hash(data: Array(html.utf8)).prefix(12))
                var headers = Self.headers(locale)
                headers[.eTag] = "\"\(etag)\""
                headers[.cacheControl] = "no-cache"
                headers[.vary] = "Accept-Language, Cookie"
                shared[name, default: [:]][locale] = KeptBody(ByteBuffer(string: html), headers: headers)
            }
        }
        self.shared = shared
    }

    /// A page that is the same for everybody, with an ETag (RFC 9110 section 8.8.3).
    package func shared(_ name: String, _ request: Request, _ context: AppContext) throws -> Response {
        guard context.arrived == nil, let page = shared[name]?[context.visitor.locale] else {
            return try render(name, [:], context)
        }
        return page.response(to: request)
    }

    /// A page for this visitor only; never cached.
    package func render(
        _ name: String, _ values: Values, _ context: AppContext, status: HTTPResponse.Status = .ok
    ) throws -> Response {
        response(try body(name, values, context), context, status: status)
    }

    /// The template filled in the visitor's language.
    func body(_ name: String, _ values: Values, _ context: AppContext) throws -> ByteBuffer {
        let all = values.merging(flash(context)) { $1 }.merging(Self.keptForm(name)) { $1 }
        return ByteBuffer(string: try templates.render(name, all, locale: context.visitor.locale))
    }

    /// The id of the form whose fields a change of the language keeps.
    private static func keptForm(_ name: String) -> Values {
        SwitchRoutes.pages.contains(where: name.isExactly) ? ["kept_form": name] : [:]
    }

    /// What a flash puts on any page; it stands in for the page's own notice.
    private func flash(_ context: AppContext) -> Values {
        guard let arrived = context.arrived else { return [:] }
        let notice = arrived.flash.notice
        let kind = notice.kind
        return [
            "notice": false, "title_prefix": sentence(kind.prefixKey, context),
            "restart": notice == .flowExpired || notice == .flowUnknown,
            "flash": ["sentence": arrived.sentence, "is_problem": kind == .problem] as Values,
        ]
    }

    /// A page out of its body.
    func response(
        _ body: ByteBuffer, _ context: AppContext, status: HTTPResponse.Status = .ok
    ) -> Response {
        Response(status: status, headers: Self.headers(context.visitor.locale), body: .init(byteBuffer: body))
    }

    /// The page's text in every language, as everybody sees it.
    func texts(of name: String) throws -> [String: String] {
        try templates.locales.reduce(into: [:]) { $0[$1] = try templates.render(name, Self.keptForm(name), locale: $1) }
    }

    /// A sentence in the visitor's language.
    package func sentence(_ key: String, _ context: AppContext, _ values: Values = [:]) -> String {
        templates.sentence(key, values, locale: context.visitor.locale)
    }

    private static func headers(_ locale: String) -> HTTPFields {
        [.contentType: "text/html; charset=utf-8", .contentLanguage: locale]
    }
}

/// 303: the next page is fetched with GET.
package func seeOther(_ location: String) -> Response {
    Response(status: .seeOther, headers: [.location: location])
}
