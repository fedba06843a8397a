import HTTPTypes
package import Hummingbird

/// First in line: pages that are the same for everybody go out as they were made, headers and all, before a request is
/// looked at any further. Whoever brings a cookie or a query goes on to the routes.
package struct SharedPages: HTTPResponder {
    package typealias Context = AppContext

    /// Names by path.
    private let names: [String: String]
    /// By language and name.
    private let pages: [String: Lazy<[String: KeptBody]>]
    private let languages: Languages
    private let loopbackOnly: LoopbackOnly
    private let next: RouterResponder<AppContext>

    init(
        _ pages: Pages, headers: HTTPFields, languages: Languages, closedSignup: Bool, loopbackOnly: LoopbackOnly,
        next: RouterResponder<AppContext>
    ) {
        let names = Pages.sharedNames.filter { !(closedSignup && $0 == "signup") }
        self.names = Dictionary(uniqueKeysWithValues: names.map { ($0 == "welcome" ? "/" : "/\($0)", $0) })
        let kept = pages.templates.locales.map { locale in
            (locale, Lazy { try pages.shared(in: locale).mapValues { $0.adding(headers) } })
        }
        self.pages = Dictionary(uniqueKeysWithValues: kept)
        self.languages = languages
        self.loopbackOnly = loopbackOnly
        self.next = next
    }

    package func respond(to request: Request, context: AppContext) async throws -> Response {
        guard request.method == .get, let path = request.head.path, let name = names[path],
            !request.headers.contains(.cookie), loopbackOnly.admits(context),
            let kept = try? pages[languages.preferred(request)]?.value()[name]
        else { return try await next.respond(to: request.withKnownMethod, context: context) }
        return kept.response(to: request)
    }
}
