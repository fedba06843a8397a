import HTTPTypes
package import Hummingbird
import Logging
import Mailing
import ServiceLifecycle
import Serving

/// The house, as a table of contents: needs in, application out. Middleware in the order a request meets it.
package func buildApplication(_ needs: Needs, content: SiteContent) throws -> Application<RoutesResponder> {
    let settings = needs.settings
    let (files, pages) = (content.files, content.pages)
    let templates = pages.templates
    let cookies = SiteCookies(publicURL: settings.publicURL)
    let web = Web(
        pages: pages, cookies: cookies,
        guardian: SignedInGuard(key: needs.secretKey, publicURL: settings.publicURL, audit: needs.audit),
        returnTo: needs.returnTo, providers: needs.providers, audit: needs.audit, now: needs.now
    )
    let sessions = Sessions(
        store: needs.store, audit: needs.audit, random: needs.random, lifetimes: settings.sessionLifetimes,
        now: needs.now
    )
    let terms = Terms(
        version: settings.termsVersion, locales: templates.locales,
        text: { try pages.text(of: "terms", locale: $0) }, random: needs.random)
    let languages = Languages(locales: templates.locales, cookies: cookies)
    let securityHeaders = SecurityHeaders(settings)
    let finder = ClientAddressFinder(trusted: settings.trustedProxies)
    let api = try API(needs: needs, sessions: sessions, terms: terms, web: web, resources: content.resources)
    let router = Router(context: AppContext.self, options: .autoGenerateHeadEndpoints)

    router.addMiddleware {
        VisitorMiddleware(
            needs: needs, finder: finder,
            languages: languages, cookies: cookies
        )
        SecurityHeadersMiddleware<AppContext>(securityHeaders)
        FetchNavigation<AppContext>()
        ErrorPages(web: web, problems: api.problems)
        LoopbackOnlyMiddleware<AppContext>(LoopbackOnly(settings))
        StaticFilesMiddleware<AppContext>(files)
        CrossOriginCheck<AppContext>(publicURL: settings.publicURL, exempt: needs.providers.formPosts) {
            needs.audit.log(.crossSite, visitor: $1.visitor, path: $0.uri.path)
        }
        SessionMiddleware(sessions: sessions, cookies: cookies)
        FlashMiddleware(web: web)
    }

    let routes = Routes(router)
    WelcomeRoutes(web: web).add(to: routes)
    SignupRoutes(signup: Signup(needs: needs, sessions: sessions, terms: terms), web: web).add(to: routes)
    LoginRoutes(login: Login(needs: needs, sessions: sessions, terms: terms), web: web).add(to: routes)
    PasswordResetRoutes(reset: PasswordReset(needs: needs), sessions: sessions, web: web).add(to: routes)
    ProviderRoutes(rule: ProviderSignIn(needs: needs, sessions: sessions, terms: terms), web: web).add(to: routes)
    SwitchRoutes(web: web).add(to: routes)
    LogoutRoutes(sessions: sessions, web: web).add(to: routes)
    EndSessionRoutes(needs: needs, sessions: sessions, web: web).add(to: routes)
    AccountRoutes(needs: needs, sessions: sessions, terms: terms, web: web).add(to: routes)
    TermsRoutes(web: web).add(to: routes)
    api.add(to: routes)
    HealthRoutes(needs: needs).add(to: routes)
    if settings.mode == .development, let folder = needs.mailTransport as? FileTransport {
        DevMailRoutes(
            folder: folder, publicURL: settings.publicURL, finder: finder, web: web,
            policy: securityHeaders.policy
        ).add(to: routes)
    }
    routes.refuseOtherMethods()

    let prepared = PreparedAnswers(
        pages: pages, paths: content.sharedPaths(signupOpen: settings.signupOpen),
        // With the debug log each request for a file has its line.
        files: needs.logger.logLevel > .debug ? files.byTarget : [:],
        headers: securityHeaders.headers, languages: languages)
    return Application(
        responder: RoutesResponder(router: router.buildResponder()),
        server: .init { HTTPChannel(ConnectionSettings(settings), prepared, logger: needs.logger, responder: $0) },
        configuration: ApplicationConfiguration(
            address: .hostname(settings.host, port: settings.port), serverName: nil, backlog: 1024,
            availableConnectionsDelegate: ConnectionLimit(logger: needs.logger)
        ),
        services: [
            MailWorker(needs: needs, renderer: MailRenderer(templates: templates, from: settings.mailFrom)),
            PagePreparation(pages: pages, logger: needs.logger), HousekeepingService(needs: needs),
            LogSummaries(audit: needs.audit),
        ],
        logger: needs.logger
    )
}
