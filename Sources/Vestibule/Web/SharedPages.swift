import HTTPTypes
package import Hummingbird

/// First in line: pages that are the same for everybody go out as they were made at start, headers and all, before a
/// request is looked at any further. Whoever brings a cookie or a query goes on to the routes.
package struct SharedPages: HTTPResponder {
    package typealias Context = AppContext

    /// By path and language.
    private let pages: [String: [String: KeptBody]]
    private let languages: Languages
    private let loopbackOnly: LoopbackOnly
    private let next: RouterResponder<AppContext>

    init(
        _ pages: Pages, headers: HTTPFields, languages: Languages, closedSignup: Bool, loopbackOnly: LoopbackOnly,
        next: RouterResponder<AppContext>
    ) {
        var kept: [String: [String: KeptBody]] = [:]
        for (name, byLocale) in pages.shared where !(closedSignup && name == "signup") {
            kept[name == "welcome" ? "/" : "/\(name)"] = byLocale.mapValues { $0.adding(headers) }
        }
        self.pages = kept
        self.languages = languages
        self.loopbackOnly = loopbackOnly
        self.next = next
    }

    package func respond(to request: Request, context: AppContext) async throws -> Response {
        guard request.method == .get, let path = request.head.path, let page = pages[path],
            !request.headers.contains(.cookie), loopbackOnly.admits(context),
            let kept = page[languages.preferred(request)]
        else { return try await next.respond(to: request.withKnownMethod, context: context) }
        return kept.response(to: request)
    }
}
