import Crypto
import Essentials
import HTTPTypes
package import Hummingbird
import NIOCore

/// Answers with pages: those equal for everybody from memory, the others rendered.
package struct Pages: Sendable {
    package let templates: Templates
    /// Those equal for everybody, by language and name.
    private let shared: [String: Lazy<[String: KeptBody]>]
    private static let sharedNames = ["welcome", "login", "signup", "reset", "terms", "privacy"]

    /// Throws `TemplateFault` for what is wrong in the default language.
    package init(templates: Templates) throws {
        self.templates = templates
        let shared = templates.locales.map { locale in
            (locale, Lazy<[String: KeptBody]> { try Self.shared(templates, locale) })
        }
        self.shared = Dictionary(uniqueKeysWithValues: shared)
        _ = try shared.first?.1.value()
    }

    /// Makes what is kept of the other languages, so that no request waits for it. Throws
    /// `TemplateFault`.
    package func prepare() throws {
        for pages in shared.values { _ = try pages.value() }
    }

    /// A page that is the same for everybody; nil while its language is not made.
    func ready(_ name: String, in locale: String) -> KeptBody? {
        shared[locale]?.ifMade?[name]
    }

    private static func shared(_ templates: Templates, _ locale: String) throws -> [String: KeptBody] {
        var shared: [String: KeptBody] = [:]
        for name in sharedNames {
            let html = try templates.render(name, keptForm(name), locale: locale)
            let etag = Base64URL.encode(SHA256.hash(data: Array(html.utf8)).prefix(12))
            var headers = headers(locale)
            headers[.eTag] = "\"\(etag)\""
            headers[.cacheControl] = "no-cache"
            headers[.vary] = "Accept-Language, Cookie"
            shared[name] = KeptBody(ByteBuffer(string: html), headers: headers)
        }
        return shared
    }

    /// The names of those that are the same for everybody, by path; sign-up only while it is open.
    static func paths(signupOpen: Bool) -> [String: String] {
        sharedNames.reduce(into: [:]) { paths, name in
            guard signupOpen || name != "signup" else { return }
            paths[name == "welcome" ? "/" : "/\(name)"] = name
        }
    }

    /// A page that is the same for everybody, with an ETag (RFC 9110 section 8.8.3).
    package func shared(_ name: String, _ request: Request, _ context: AppContext) throws -> Response {
        guard context.arrived == nil, let page = try shared[context.visitor.locale]?.value()[name] else {
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

    /// The page's text in that language, as everybody sees it.
    func text(of name: String, locale: String) throws -> String {
        try templates.render(name, Self.keptForm(name), locale: locale)
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
