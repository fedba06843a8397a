import Crypto
import Essentials
import HTTPTypes
package import Hummingbird
import NIOCore

/// Answers with pages: those equal for everybody from memory, the others rendered.
package struct Pages: Sendable {
    package let templates: Templates
    /// Those equal for everybody, by language and name; each is made when it is first asked for.
    private let shared: [String: [String: Lazy<CachedResponse>]]
    /// Pages with a form whose fields a change of the language keeps; the form has the page's name
    /// as its id.
    private let keptForms: [String]

    /// `shared` names the pages that are equal for everybody. Throws `TemplateFault` for what is
    /// wrong in them in the default language if a template is the operator's.
    package init(templates: Templates, shared names: [String], keptForms: [String]) throws {
        self.templates = templates
        self.keptForms = keptForms
        let pages = templates.locales.map { locale in
            let pages = names.map { name in
                let values = Self.keptForm(name, of: keptForms)
                return (name, Lazy { try Self.shared(templates.render(name, values, locale: locale), locale) })
            }
            return (locale, Dictionary(uniqueKeysWithValues: pages))
        }
        shared = Dictionary(uniqueKeysWithValues: pages)
        if !templates.areInstalled { try prepare(in: templates.locales[0]) }
    }

    /// Makes the pages that are equal for everybody, the default language first, so that no request
    /// waits for them. Throws `TemplateFault`.
    package func prepare() throws {
        for locale in templates.locales { try prepare(in: locale) }
    }

    private func prepare(in locale: String) throws {
        for page in (shared[locale] ?? [:]).values { _ = try page.value() }
    }

    /// Makes one of them in the default language. Throws `TemplateFault`.
    package func prepare(_ name: String) throws {
        _ = try shared[templates.locales[0]]?[name]?.value()
    }

    /// A page that is the same for everybody; nil while it is not made.
    func ready(_ name: String, in locale: String) -> CachedResponse? {
        shared[locale]?[name]?.ifMade
    }

    private static func shared(_ html: String, _ locale: String) -> CachedResponse {
        let etag = Base64URL.encode(SHA256.hash(data: Array(html.utf8)).prefix(12))
        var headers = headers(locale)
        headers[.eTag] = "\"\(etag)\""
        headers[.cacheControl] = "no-cache"
        headers[.vary] = "Accept-Language, Cookie"
        return CachedResponse(ByteBuffer(string: html), headers: headers)
    }

    /// A page that is the same for everybody, with an ETag (RFC 9110 section 8.8.3).
    package func shared(_ name: String, _ request: Request, _ context: some PageContext) throws -> Response {
        guard context.announcement == nil, let page = try shared[context.locale]?[name]?.value() else {
            return try render(name, [:], context)
        }
        return page.response(to: request)
    }

    /// A page for this visitor only; never cached. `policy` among the values is its content
    /// security policy.
    package func render(
        _ name: String, _ values: Values, _ context: some PageContext, status: HTTPResponse.Status = .ok
    ) throws -> Response {
        var response = response(
            try body(name, values, context, isRefusal: status.code >= 400), context, status: status)
        response.headers[.contentSecurityPolicy] = values["policy"] as? String
        return response
    }

    /// The template filled in the visitor's language. The title of a refusal says nothing of what
    /// went well before.
    package func body(
        _ name: String, _ values: Values, _ context: some PageContext, isRefusal: Bool = false
    ) throws -> ByteBuffer {
        var all = values.merging(flash(context)) { $1 }.merging(Self.keptForm(name, of: keptForms)) { own, _ in own }
        if isRefusal { all["title_prefix"] = nil }
        // For a sentence of a page, in one piece where a line has room for it.
        if values["email"] is String { all["whole_email"] = templates.part(.address, locale: context.locale) }
        return ByteBuffer(string: try templates.render(name, all, locale: context.locale))
    }

    /// The id of the form whose fields a change of the language keeps.
    private static func keptForm(_ name: String, of forms: [String]) -> Values {
        forms.contains(where: name.isExactly) ? ["kept_form": name] : [:]
    }

    /// What a flash puts on any page; it stands in for the page's own notice.
    private func flash(_ context: some PageContext) -> Values {
        guard let announcement = context.announcement else { return [:] }
        let (flash, notice) = (announcement.flash, announcement.flash.notice)
        return [
            "notice": false, "title_prefix": sentence(notice.kind.prefixKey, context),
            "restart": notice.offersRestart,
            "flash": [
                "sentence": announcement.sentence, "is_problem": notice.kind == .problem,
                "is_done": notice.kind == .saved || notice.kind == .done,
                "offers_to_end_others": flash.offersToEndOthers ?? false,
            ] as Values,
        ]
    }

    /// A page out of its body.
    package func response(
        _ body: ByteBuffer, _ context: some PageContext, status: HTTPResponse.Status = .ok
    ) -> Response {
        Response(status: status, headers: Self.headers(context.locale), body: .init(byteBuffer: body))
    }

    /// The page's text in that language, as everybody sees it.
    package func text(of name: String, locale: String) throws -> String {
        try templates.render(name, Self.keptForm(name, of: keptForms), locale: locale)
    }

    /// A sentence in the visitor's language.
    package func sentence(_ key: String, _ context: some PageContext, _ values: Values = [:]) -> String {
        templates.sentence(key, values, locale: context.locale)
    }

    private static func headers(_ locale: String) -> HTTPFields {
        [.contentType: "text/html; charset=utf-8", .contentLanguage: locale]
    }
}

/// 303: the next page is fetched with GET.
package func seeOther(_ location: String) -> Response {
    Response(status: .seeOther, headers: [.location: location])
}

extension Pages {
    /// What the flash says, in the visitor's language.
    package func sentence(_ flash: Flash, _ context: some PageContext) -> String {
        let first = sentence(flash.notice.sentenceKey, context, flash.values)
        return ([first] + flash.details.map { sentence($0.key, context, $0.values) }).joined(separator: " ")
    }
}
