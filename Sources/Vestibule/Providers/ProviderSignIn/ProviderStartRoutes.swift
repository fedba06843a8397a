import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `/auth/{provider}`: begins a sign-in, adds a way in, or proves again who is signed in.
struct ProviderStartRoutes {
    let provider: Provider
    let authorization: ProviderAuthorization
    let stepUp: StepUp
    let web: Web
    let rememberDefault: Bool

    private var name: String { provider.settings.name }

    func add(to routes: some RouterMethods<AppContext>) {
        routes.get(RouterPath("/auth/\(name)"), use: start)
    }

    @Sendable private func start(_ request: Request, _ context: AppContext) async throws -> Response {
        let source = NavigationSource(request, publicURL: web.publicURL.origin)
        guard source != .background else { throw HTTPError(.forbidden) }
        let query = request.uri.queryParameters
        // A mark that somebody has copied from a page leads no other browser on from another site.
        let mayFollow = source != .elsewhere
        if let mark = query.get("link") {
            return mayFollow ? try await link(mark, request, context) : seeOther(AccountSection.security.path)
        }
        if let mark = query.get("prove") {
            return mayFollow ? try await prove(mark, request, context) : seeOther(AccountSection.security.path)
        }
        guard query.get("lang") == nil, isMeant(source, request, context) else { return try ask(request, context) }
        return try await begin(.signIn(replacing: context.session?.id), request, context)
    }

    /// Whether the visitor asked for it, on a page of this site or in the address bar; with
    /// somebody signed in here, only on the page that says so.
    private func isMeant(_ source: NavigationSource, _ request: Request, _ context: AppContext) -> Bool {
        let hasAgreed = request.uri.queryParameters.get("agreed").flatMap(Base64URL.decode).map {
            web.key.verifies($0, .csrf, agreement(context))
        }
        guard context.session == nil else { return hasAgreed ?? false }
        switch source {
        case .ourPage, .addressBar: return true
        case .unknown: return hasAgreed ?? false
        case .background, .elsewhere: return false
        }
    }

    /// What the link on the asking page is marked with: who is signed in, or where the visitor
    /// comes from.
    private func agreement(_ context: AppContext) -> [UInt8] {
        Array("start \(name) \(context.session?.id.rawValue ?? context.visitor.client.bucket)".utf8)
    }

    private func ask(_ request: Request, _ context: AppContext) throws -> Response {
        let links = LinkValues.of(request, web)
        let mark = Base64URL.encode(web.key.mac(.csrf, agreement(context)))
        let remember = request.uri.queryParameters.get("remember").map { $0 == "on" ? "&remember=on" : "&remember=off" }
        var values = links
        values["provider"] = provider.settings.label
        values["url"] = web.link(
            "/auth/\(name)?agreed=\(mark)\(remember ?? "")", returnTo: request.uri.queryParameters.get("return_to"))
        values["email"] = context.record?.account.email.typed
        values["signedIn"] = context.session != nil
        return try web.pages.render("auth/start", values, context)
    }

    private func link(_ mark: String, _ request: Request, _ context: AppContext) async throws -> Response {
        guard let record = context.record, !record.awaitsTerms else { return seeOther("/login") }
        guard !record.session.awaitsFactor else { return seeOther(AccountSection.security.path) }
        try check(mark, ProviderLink.adding(name), record)
        guard try await stepUp.mayAddWayIn(record, RequestFactors(of: record.accountID)) else {
            return seeOther("/account/confirm?add=\(name)&link=\(mark)")
        }
        return try await begin(.link(session: record.sessionID), request, context)
    }

    private func prove(_ mark: String, _ request: Request, _ context: AppContext) async throws -> Response {
        guard let record = context.record else { return try web.signInFirst(returnTo: AccountSection.security.path) }
        try check(mark, ProviderLink.proving(name), record)
        return try await begin(.prove(session: record.sessionID), request, context)
    }

    /// Throws 403 unless the link stood on a page of that session.
    private func check(_ mark: String, _ what: String, _ record: SessionRecord) throws {
        guard web.signedLinks.verifies(mark, what, record.session) else { throw HTTPError(.forbidden) }
    }

    private func begin(
        _ purpose: AuthFlow.Purpose, _ request: Request, _ context: AppContext
    ) async throws -> Response {
        let query = request.uri.queryParameters
        let (wish, page) = (query.get("return_to"), origin(of: request))
        // Without script, links cannot say what became of the box.
        let remember = query.get("remember").map { $0 == "on" } ?? rememberDefault
        do {
            let (url, flow) = try await authorization.start(
                provider, returnTo: wish, purpose: purpose, remember: remember, page: page, visitor: context.visitor)
            return seeOther(url).setting(try web.auth.set(.flow(flow)))
        } catch let fault as ProviderFault {
            return try web.failed(fault, provider, of: purpose, page: page, returnTo: wish, context)
        }
    }

    /// The page of this site whose button was pressed, as far as the browser says.
    private func origin(of request: Request) -> AuthFlow.Page? {
        guard let name = HTTPField.Name("Referer"), let referrer = request.headers[name] else { return nil }
        let page = referrer.after(web.publicURL.origin.text).flatMap(web.publicURL.page)
        return page.flatMap { AuthFlow.Page(rawValue: String($0.parts(by: "?")[0])) }
    }
}
