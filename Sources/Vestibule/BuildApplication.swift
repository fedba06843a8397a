import Essentials
import HTTPTypes
package import Hummingbird
import Logging
import Mailing
import ServiceLifecycle
package import Serving

/// The house, as a table of contents: needs in, application out. Middleware in the order a request
/// meets it.
package func buildApplication(_ needs: Needs, content: SiteContent) throws -> Application<RoutesResponder<AppContext>> {
    let settings = needs.settings
    let (files, pages) = (content.files, content.pages)
    let templates = pages.templates
    let cookies = SiteCookies(publicURL: settings.publicURL)
    let web = Web(
        pages: pages, cookies: cookies, key: needs.secretKey, publicURL: settings.publicURL,
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
    let problems = Problems(web: web, description: settings.publicURL.text + DescriptionAPI.path)
    let revocation = ProviderRevocation(needs: needs)
    let signedLinks = SignedLink(key: needs.secretKey)
    let reauthentication = Reauthentication(
        store: needs.store, hasher: needs.hasher, browsers: needs.browsers, limits: needs.limits,
        providers: needs.providers, key: needs.secretKey, audit: needs.audit, now: needs.now)
    let signup = Signup(
        store: needs.store, flows: needs.codeFlows, sessions: sessions, terms: terms, limits: needs.limits,
        browsers: needs.browsers, passwords: needs.newPasswords, hasher: needs.hasher, mailer: needs.mailer,
        audit: needs.audit, returnTo: needs.returnTo, random: needs.random, isOpen: settings.signupOpen,
        verificationRequired: settings.verificationRequired, now: needs.now)
    let login = Login(
        store: needs.store, sessions: sessions, terms: terms, limits: needs.limits, browsers: needs.browsers,
        hasher: needs.hasher, mailer: needs.mailer, newSignIns: NewSignIns(needs: needs), audit: needs.audit,
        returnTo: needs.returnTo, key: needs.secretKey, verificationRequired: settings.verificationRequired,
        now: needs.now)
    let reset = PasswordReset(
        store: needs.store, flows: needs.codeFlows, limits: needs.limits, browsers: needs.browsers,
        passwords: needs.newPasswords, hasher: needs.hasher, mailer: needs.mailer, audit: needs.audit,
        providers: needs.providers, revocation: revocation, returnTo: needs.returnTo, random: needs.random,
        now: needs.now)
    let profile = Profile(store: needs.store, audit: needs.audit)
    let passwordChange = PasswordChange(
        store: needs.store, reauthentication: reauthentication, newPasswords: needs.newPasswords, hasher: needs.hasher,
        browsers: needs.browsers, sessions: sessions, providers: needs.providers, revocation: revocation,
        mailer: needs.mailer, audit: needs.audit, now: needs.now)
    let emailChange = EmailChange(
        store: needs.store, flows: needs.codeFlows, sessions: sessions, proof: reauthentication, limits: needs.limits,
        browsers: needs.browsers, mailer: needs.mailer, audit: needs.audit, random: needs.random, now: needs.now)
    let emailUndo = EmailUndo(
        store: needs.store, flows: needs.codeFlows, limits: needs.limits, hasher: needs.hasher, mailer: needs.mailer,
        audit: needs.audit, providers: needs.providers, revocation: revocation, now: needs.now)
    let termsAcceptance = TermsAcceptance(store: needs.store, terms: terms, audit: needs.audit, now: needs.now)
    let eraser = AccountEraser(
        store: needs.store, revocation: revocation, key: needs.secretKey, mailer: needs.mailer, random: needs.random,
        now: needs.now)
    let deletion = AccountDeletion(eraser: eraser, reauthentication: reauthentication, audit: needs.audit)
    let housekeeping = Housekeeping(
        store: needs.store, newSignIns: NewSignIns(needs: needs), activityLifetime: settings.activityLifetime,
        now: needs.now)
    let router = Router(context: AppContext.self, options: .autoGenerateHeadEndpoints)

    router.addMiddleware {
        VisitorMiddleware(
            finder: finder, languages: languages, cookies: cookies, random: needs.random, logger: needs.logger
        )
        SecurityHeadersMiddleware<AppContext>(securityHeaders)
        FetchNavigation<AppContext>()
        ErrorPages(web: web, problems: problems)
        LoopbackOnlyMiddleware<AppContext>(LoopbackOnly(settings))
        StaticFilesMiddleware<AppContext>(files)
        CrossOriginCheck<AppContext>(publicURL: settings.publicURL, exempt: needs.providers.formPosts) {
            needs.audit.log(.crossSite, visitor: $1.visitor, path: $0.uri.path)
        }
        // Health tells of the store; so it must not fail with it.
        SessionMiddleware(sessions: sessions, cookies: cookies, exempt: HealthRoutes.paths)
        FlashMiddleware(web: web)
    }

    WelcomeRoutes(web: web).add(to: router)
    TermsRoutes(web: web).add(to: router)
    SwitchRoutes(web: web).add(to: router)
    SignupRoutes(signup: signup, web: web).add(to: router)
    SignupAPI(signup: signup).add(to: router)
    StrengthRoutes(judge: needs.passwordJudge, web: web).add(to: router)
    LoginRoutes(login: login, web: web).add(to: router)
    LoginAPI(login: login).add(to: router)
    LogoutRoutes(sessions: sessions, web: web).add(to: router)
    PasswordResetRoutes(reset: reset, sessions: sessions, web: web).add(to: router)
    PasswordResetAPI(reset: reset).add(to: router)
    addProviders(needs, sessions, terms, reauthentication, web, to: router)
    AccountRoutes(store: needs.store, providers: needs.providers, links: signedLinks, web: web).add(to: router)
    ProfileRoutes(profile: profile, web: web).add(to: router)
    ProfileAPI(profile: profile).add(to: router)
    PasswordChangeRoutes(change: passwordChange, providers: needs.providers, web: web).add(to: router)
    PasswordChangeAPI(change: passwordChange, sessions: sessions).add(to: router)
    EmailChangeRoutes(change: emailChange, proof: reauthentication, web: web).add(to: router)
    EmailChangeAPI(change: emailChange, sessions: sessions).add(to: router)
    EmailUndoRoutes(rule: emailUndo, sessions: sessions, web: web).add(to: router)
    TermsAcceptanceRoutes(acceptance: termsAcceptance, web: web).add(to: router)
    TermsAcceptanceAPI(acceptance: termsAcceptance).add(to: router)
    EndSessionRoutes(sessions: sessions, reauthentication: reauthentication, web: web).add(to: router)
    SessionAPI(store: needs.store, sessions: sessions, reauthentication: reauthentication, now: needs.now).add(
        to: router)
    AccountExportRoutes(
        exporter: AccountExporter(store: needs.store, audit: needs.audit, now: needs.now),
        reauthentication: reauthentication, sessions: sessions, links: signedLinks, web: web
    ).add(to: router)
    AccountDeletionRoutes(
        deletion: deletion, reauthentication: reauthentication, browsers: needs.browsers, web: web
    ).add(to: router)
    AccountDeletionAPI(deletion: deletion).add(to: router)
    try DescriptionAPI(resources: content.resources).add(to: router)
    HealthRoutes(store: needs.store, mailHealth: needs.mailHealth, now: needs.now).add(to: router)
    if settings.mode == .development, let folder = needs.mailTransport as? FileTransport {
        DevMailRoutes(
            folder: folder, publicURL: settings.publicURL, finder: finder, web: web,
            policy: securityHeaders.policy
        ).add(to: router)
    }
    router.refuseOtherMethods()

    let prepared = PreparedAnswers(
        pages: pages, paths: content.sharedPaths(signupOpen: settings.signupOpen),
        // With the debug log each request for a file has its line.
        files: needs.logger.logLevel > .debug ? files.byTarget : [:],
        headers: securityHeaders.headers, languages: languages)
    return Application(
        responder: RoutesResponder(router),
        server: .init { HTTPChannel(ConnectionSettings(settings), prepared, logger: needs.logger, responder: $0) },
        configuration: ApplicationConfiguration(
            address: .hostname(settings.host, port: settings.port), serverName: nil, backlog: 1024,
            availableConnectionsDelegate: ConnectionLimit(logger: needs.logger)
        ),
        services: [
            mailWorker(needs, MailRenderer(templates: templates, from: settings.mailFrom)),
            PagePreparation(pages: pages, logger: needs.logger),
            ThreadService(hasher: needs.hasher, providers: needs.providers, logger: needs.logger),
            HousekeepingService(housekeeping: housekeeping, logger: needs.logger),
            LogSummaries(audit: needs.audit),
        ],
        logger: needs.logger
    )
}

/// Sends what is in the outbox.
private func mailWorker(_ needs: Needs, _ renderer: MailRenderer) -> MailWorker {
    let delivery = MailDelivery(
        store: needs.store, renderer: renderer, transport: needs.mailTransport, key: needs.secretKey,
        health: needs.mailHealth, logger: needs.logger, now: needs.now, node: needs.random.id())
    return MailWorker(
        store: needs.store, delivery: delivery, signal: needs.outboxSignal, places: needs.settings.mailConcurrency,
        logger: needs.logger, now: needs.now)
}
