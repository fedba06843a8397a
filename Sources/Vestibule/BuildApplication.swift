import Essentials
import HTTPTypes
package import Hummingbird
import Logging
import Mailing
import ServiceLifecycle
package import Serving

/// The application as a table of contents: middleware in the order a request meets it, and a line
/// for each feature.
package func buildApplication(
    _ dependencies: Dependencies, content: SiteContent
) throws -> Application<RoutesResponder<AppContext>> {
    try buildApplication(SharedServices(dependencies), content: content)
}

/// The same, of services that were made before.
func buildApplication(_ shared: SharedServices, content: SiteContent) throws -> Application<RoutesResponder<AppContext>>
{
    let settings = shared.settings
    let (files, pages) = (content.files, content.pages)
    let templates = pages.templates
    let cookies = SiteCookies(publicURL: settings.publicURL.origin)
    let web = Web(
        pages: pages, cookies: cookies, key: shared.secretKey, publicURL: settings.publicURL,
        returnTo: shared.returnTo, audit: shared.audit, now: shared.now
    )
    let sessions = Sessions(
        store: shared.store, audit: shared.audit, random: shared.random, lifetimes: settings.sessionLifetimes,
        now: shared.now
    )
    let terms = Terms(
        version: settings.termsVersion, locales: templates.locales,
        text: { try pages.text(of: "terms", locale: $0) }, random: shared.random)
    let languages = Languages(locales: templates.locales, cookies: cookies)
    let securityHeaders = SecurityHeaders(settings)
    let finder = ClientAddressFinder(trusted: settings.trustedProxies)
    let problems = Problems(web: web, description: settings.publicURL.url(DescriptionAPI.path))
    let revocation = shared.revocation
    let signedLinks = SignedLink(key: shared.secretKey)
    let reauthentication = Reauthentication(
        store: shared.store, hasher: shared.hasher, browsers: shared.browsers, limits: shared.limits,
        providers: shared.providers, key: shared.secretKey, audit: shared.audit, now: shared.now)
    let signup = Signup(
        store: shared.store, flows: shared.codeFlows, sessions: sessions, terms: terms, limits: shared.limits,
        browsers: shared.browsers, passwords: shared.newPasswords, hasher: shared.hasher, mailer: shared.mailer,
        audit: shared.audit, returnTo: shared.returnTo, random: shared.random, isOpen: settings.signupOpen,
        verificationRequired: settings.verificationRequired, now: shared.now)
    let login = Login(
        store: shared.store, sessions: sessions, terms: terms, limits: shared.limits, browsers: shared.browsers,
        hasher: shared.hasher, mailer: shared.mailer, newSignIns: shared.newSignIns, audit: shared.audit,
        returnTo: shared.returnTo, key: shared.secretKey, verificationRequired: settings.verificationRequired,
        now: shared.now)
    let reset = PasswordReset(
        store: shared.store, flows: shared.codeFlows, limits: shared.limits, browsers: shared.browsers,
        passwords: shared.newPasswords, hasher: shared.hasher, mailer: shared.mailer, audit: shared.audit,
        providers: shared.providers, revocation: revocation, returnTo: shared.returnTo, random: shared.random,
        now: shared.now)
    let profile = Profile(store: shared.store, audit: shared.audit)
    let passwordChange = PasswordChange(
        store: shared.store, reauthentication: reauthentication, newPasswords: shared.newPasswords,
        hasher: shared.hasher,
        browsers: shared.browsers, sessions: sessions, providers: shared.providers, revocation: revocation,
        mailer: shared.mailer, audit: shared.audit, now: shared.now)
    let emailChange = EmailChange(
        store: shared.store, flows: shared.codeFlows, sessions: sessions, proof: reauthentication,
        limits: shared.limits,
        browsers: shared.browsers, mailer: shared.mailer, audit: shared.audit, random: shared.random, now: shared.now)
    let emailUndo = EmailUndo(
        store: shared.store, flows: shared.codeFlows, limits: shared.limits, hasher: shared.hasher,
        mailer: shared.mailer,
        audit: shared.audit, providers: shared.providers, revocation: revocation, now: shared.now)
    let termsAcceptance = TermsAcceptance(store: shared.store, terms: terms, audit: shared.audit, now: shared.now)
    let eraser = AccountEraser(
        store: shared.store, revocation: revocation, key: shared.secretKey, mailer: shared.mailer,
        random: shared.random,
        now: shared.now)
    let deletion = AccountDeletion(eraser: eraser, reauthentication: reauthentication, audit: shared.audit)
    let housekeeping = Housekeeping(
        store: shared.store, newSignIns: shared.newSignIns, activityLifetime: settings.activityLifetime,
        now: shared.now)
    let signingKeys = SigningKeys(store: shared.store, secretKey: shared.secretKey, now: shared.now)
    let applicationSessions = ApplicationSessions(
        sessions: sessions, store: shared.store, publicOrigin: settings.publicURL.origin)
    let assertions = Assertions(
        keys: signingKeys, issuer: settings.publicURL.text, random: shared.random, now: shared.now)
    let verdicts = Verdicts(
        sessions: applicationSessions,
        tokens: MachineTokens(store: shared.store, random: shared.random, now: shared.now), assertions: assertions)
    let verdictRoutes = VerdictRoutes(
        verdicts: verdicts, applications: shared.applications, proxies: finder, loopbackOnly: LoopbackOnly(settings),
        web: web)
    let handOver = HandOver(store: shared.store, key: shared.secretKey, random: shared.random, now: shared.now)
    let hosts = ApplicationHosts(
        applications: shared.applications, proxies: finder, publicOrigin: settings.publicURL.origin)
    let router = Router(context: AppContext.self, options: .autoGenerateHeadEndpoints)

    router.addMiddleware {
        VerdictMiddleware(verdictRoutes, securityHeaders)
        VisitorMiddleware(
            finder: finder, languages: languages, cookies: cookies, random: shared.random, logger: shared.logger
        )
        SecurityHeadersMiddleware<AppContext>(securityHeaders)
        FetchNavigation<AppContext>()
        ErrorPages(web: web, problems: problems)
        LoopbackOnlyMiddleware<AppContext>(LoopbackOnly(settings))
        StaticFilesMiddleware<AppContext>(files)
        CrossOriginCheck<AppContext>(
            publicURL: settings.publicURL.origin, exempt: shared.providers.formPosts,
            checkedByRoute: ApplicationHostRoutes.pathsWithOwnCheck
        ) {
            shared.audit.log(.crossSite, visitor: $1.visitor, path: $0.uri.path)
        }
        // Health tells of the store; so it must not fail with it. A verdict looks for itself.
        SessionMiddleware(
            sessions: sessions, cookies: cookies, exempt: HealthRoutes.paths.union(VerdictRoutes.paths))
        FlashMiddleware(web: web)
    }

    WelcomeRoutes(web: web).add(to: router)
    TermsRoutes(web: web).add(to: router)
    SwitchRoutes(web: web).add(to: router)
    SignupRoutes(signup: signup, web: web).add(to: router)
    SignupAPI(signup: signup).add(to: router)
    StrengthRoutes(judge: shared.passwordJudge, web: web).add(to: router)
    LoginRoutes(login: login, web: web).add(to: router)
    LoginAPI(login: login).add(to: router)
    LogoutRoutes(sessions: sessions, web: web).add(to: router)
    PasswordResetRoutes(reset: reset, sessions: sessions, web: web).add(to: router)
    PasswordResetAPI(reset: reset).add(to: router)
    addProviders(shared, sessions, terms, reauthentication, web, to: router)
    AccountRoutes(
        store: shared.store, providers: shared.providers, applications: shared.applications,
        links: signedLinks, web: web
    ).add(to: router)
    ProfileRoutes(profile: profile, web: web).add(to: router)
    ProfileAPI(profile: profile).add(to: router)
    PasswordChangeRoutes(change: passwordChange, providers: shared.providers, web: web).add(to: router)
    PasswordChangeAPI(change: passwordChange, sessions: sessions).add(to: router)
    EmailChangeRoutes(change: emailChange, proof: reauthentication, web: web).add(to: router)
    EmailChangeAPI(change: emailChange, sessions: sessions).add(to: router)
    EmailUndoRoutes(rule: emailUndo, sessions: sessions, web: web).add(to: router)
    TermsAcceptanceRoutes(acceptance: termsAcceptance, web: web).add(to: router)
    TermsAcceptanceAPI(acceptance: termsAcceptance).add(to: router)
    EndSessionRoutes(sessions: sessions, reauthentication: reauthentication, web: web).add(to: router)
    SessionAPI(store: shared.store, sessions: sessions, reauthentication: reauthentication, now: shared.now).add(
        to: router)
    AccountExportRoutes(
        exporter: AccountExporter(store: shared.store, audit: shared.audit, now: shared.now),
        reauthentication: reauthentication, sessions: sessions, links: signedLinks, web: web
    ).add(to: router)
    AccountDeletionRoutes(
        deletion: deletion, reauthentication: reauthentication, browsers: shared.browsers, web: web
    ).add(to: router)
    AccountDeletionAPI(deletion: deletion).add(to: router)
    try DescriptionAPI(resources: content.resources).add(to: router)
    KeySetRoutes(keys: signingKeys).add(to: router)
    verdictRoutes.add(to: router)
    ApplicationSessionAPI(
        sessions: applicationSessions, assertions: assertions, hosts: hosts, keys: signingKeys, problems: problems
    ).add(to: router)
    EnterRoutes(handOver: handOver, applications: shared.applications, web: web).add(to: router)
    ApplicationHostRoutes(
        handOver: handOver, hosts: hosts, sessions: applicationSessions, files: files, web: web
    ).add(to: router)
    HealthRoutes(store: shared.store, mailHealth: shared.mailHealth, now: shared.now).add(to: router)
    if settings.mode == .development, let folder = shared.mailTransport as? FileTransport {
        DevMailRoutes(
            folder: folder, publicURL: settings.publicURL, finder: finder, web: web,
            policy: securityHeaders.policy
        ).add(to: router)
    }
    router.refuseOtherMethods()

    let mount = Mount(settings)
    let prepared = PreparedAnswers(
        pages: pages, paths: mount.targets(content.sharedPaths(signupOpen: settings.signupOpen)),
        // With the debug log each request for a file has its line.
        files: shared.logger.logLevel > .debug ? mount.targets(files.byTarget) : [:],
        headers: securityHeaders.headers, languages: languages)
    return Application(
        responder: RoutesResponder(router, mount: mount),
        server: .init { HTTPChannel(ConnectionSettings(settings), prepared, logger: shared.logger, responder: $0) },
        configuration: ApplicationConfiguration(
            address: .hostname(settings.host, port: settings.port), serverName: nil, backlog: 1024,
            availableConnectionsDelegate: ConnectionLimit(logger: shared.logger)
        ),
        services: [
            mailWorker(shared, MailRenderer(templates: templates, from: settings.mailFrom)),
            PagePreparation(pages: pages, logger: shared.logger),
            ThreadService(hasher: shared.hasher, providers: shared.providers, logger: shared.logger),
            HousekeepingService(housekeeping: housekeeping, logger: shared.logger),
            LogSummaries(audit: shared.audit),
        ],
        logger: shared.logger
    )
}

/// Sends what is in the outbox.
private func mailWorker(_ shared: SharedServices, _ renderer: MailRenderer) -> MailWorker {
    let delivery = MailDelivery(
        store: shared.store, renderer: renderer, transport: shared.mailTransport, key: shared.secretKey,
        health: shared.mailHealth, logger: shared.logger, now: shared.now, node: shared.random.id())
    return MailWorker(
        store: shared.store, delivery: delivery, signal: shared.outboxSignal, places: shared.settings.mailConcurrency,
        logger: shared.logger, now: shared.now)
}
