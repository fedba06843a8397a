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
        requiresFactor: settings.secondFactor == .required, now: shared.now
    )
    let terms = Terms(
        version: settings.termsVersion, locales: templates.locales,
        text: { try pages.text(of: "terms", locale: $0) }, random: shared.random)
    let languages = Languages(locales: templates.locales, cookies: cookies)
    let securityHeaders = SecurityHeaders(settings)
    let finder = ClientAddressFinder(trusted: settings.trustedProxies)
    let hosts = KnownHosts(settings)
    let problems = Problems(web: web, description: settings.publicURL.url(DescriptionAPI.path))
    let revocation = shared.revocation
    let signedLinks = SignedLink(key: shared.secretKey)
    let factors = FactorServices(shared, sessions: sessions, cookies: cookies)
    let (reauthentication, stepUpPages, stepUpCalls) = (factors.reauthentication, factors.pages(web), factors.calls)
    let signup = Signup(
        store: shared.store, flows: shared.codeFlows, sessions: sessions, terms: terms, limits: shared.limits,
        browsers: shared.browsers, passwords: shared.newPasswords, hasher: shared.hasher, mailer: shared.mailer,
        audit: shared.audit, returnTo: shared.returnTo, random: shared.random, isOpen: settings.signupOpen,
        verificationRequired: settings.verificationRequired, now: shared.now)
    let signIns = SignIns(
        sessions: sessions, terms: terms, browsers: shared.browsers, newSignIns: shared.newSignIns,
        mailer: shared.mailer, audit: shared.audit, key: shared.secretKey)
    let secondSteps = SecondSteps(
        store: shared.store, browsers: shared.browsers, random: shared.random,
        isOn: settings.secondFactor != .off, takesPasskeys: settings.offersPasskeys, now: shared.now)
    let secondStepAnswer = SecondStepAnswer(description: settings.publicURL.url(DescriptionAPI.path), pages: pages)
    let secondStep = SecondStep(
        store: shared.store, verifiers: factors.verifiers, limits: shared.limits, browsers: shared.browsers,
        signIns: signIns,
        news: factors.news, mailer: shared.mailer, audit: shared.audit, key: shared.secretKey, now: shared.now)
    let login = Login(
        store: shared.store, limits: shared.limits, browsers: shared.browsers, hasher: shared.hasher,
        signIns: signIns, secondSteps: secondSteps,
        audit: shared.audit, returnTo: shared.returnTo, key: shared.secretKey,
        verificationRequired: settings.verificationRequired,
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
        store: shared.store, newSignIns: shared.newSignIns,
        factorRemoval: FactorRemoval(
            store: shared.store, mailer: shared.mailer, random: shared.random, now: shared.now),
        factorSealing: FactorSealing(store: shared.store, key: shared.secretKey),
        activityLifetime: settings.activityLifetime, now: shared.now)
    let applications = ApplicationServices(shared, sessions: sessions, proxies: finder)
    let router = Router(context: AppContext.self, options: .autoGenerateHeadEndpoints)

    router.addMiddleware {
        RequestDeadline<AppContext>(patience: shared.connectionPatience)
        VerdictMiddleware(
            verdicts: applications.verdicts, questions: applications.questions, loopbackOnly: LoopbackOnly(settings),
            headers: securityHeaders)
        VisitorMiddleware(
            finder: finder, languages: languages, cookies: cookies, random: shared.random, logger: shared.logger,
            audit: shared.audit
        )
        SecurityHeadersMiddleware<AppContext>(securityHeaders)
        FetchNavigation<AppContext>()
        ErrorPages(web: web, problems: problems)
        HostCheck(hosts: hosts, publicURL: settings.publicURL, audit: shared.audit)
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
    LoginAPI(login: login, secondStep: secondStepAnswer).add(to: router)
    SecondStepRoutes(step: secondStep, challenges: factors.challengeCookie, web: web).add(to: router)
    SecondStepAPI(step: secondStep, challenges: factors.challenges).add(to: router)
    LogoutRoutes(sessions: sessions, web: web).add(to: router)
    PasswordResetRoutes(reset: reset, sessions: sessions, web: web).add(to: router)
    PasswordResetAPI(reset: reset).add(to: router)
    addProviders(
        shared, sessions, terms, signIns, reauthentication, secondSteps, secondStepAnswer, stepUpPages, web, to: router)
    addFactors(shared, sessions, signIns, factors, web, to: router)
    AccountRoutes(
        store: shared.store, ways: FactorWays(passkeys: settings.offersPasskeys, secondFactor: settings.secondFactor),
        providers: shared.providers, applications: shared.applications,
        links: signedLinks, web: web
    ).add(to: router)
    ProfileRoutes(profile: profile, web: web).add(to: router)
    ProfileAPI(profile: profile).add(to: router)
    PasswordChangeRoutes(
        change: passwordChange, providers: shared.providers, stepUp: stepUpPages, web: web
    ).add(to: router)
    PasswordChangeAPI(stepUp: stepUpCalls, change: passwordChange, sessions: sessions).add(to: router)
    EmailChangeRoutes(change: emailChange, proof: reauthentication, stepUp: stepUpPages, web: web).add(to: router)
    EmailChangeAPI(stepUp: stepUpCalls, change: emailChange, sessions: sessions).add(to: router)
    EmailUndoRoutes(rule: emailUndo, sessions: sessions, web: web).add(to: router)
    TermsAcceptanceRoutes(acceptance: termsAcceptance, web: web).add(to: router)
    TermsAcceptanceAPI(acceptance: termsAcceptance).add(to: router)
    EndSessionRoutes(
        sessions: sessions, reauthentication: reauthentication, stepUp: stepUpPages, web: web
    ).add(to: router)
    SessionAPI(
        stepUp: stepUpCalls, store: shared.store, sessions: sessions, reauthentication: reauthentication,
        now: shared.now
    ).add(to: router)
    AccountExportRoutes(
        exporter: AccountExporter(store: shared.store, audit: shared.audit, now: shared.now),
        reauthentication: reauthentication, sessions: sessions, links: signedLinks, stepUp: stepUpPages,
        web: web
    ).add(to: router)
    AccountDeletionRoutes(
        deletion: deletion, reauthentication: reauthentication, browsers: shared.browsers, stepUp: stepUpPages, web: web
    ).add(to: router)
    AccountDeletionAPI(stepUp: stepUpCalls, deletion: deletion).add(to: router)
    try DescriptionAPI(resources: content.resources).add(to: router)
    applications.add(to: router, shared, files: files, problems: problems, web: web)
    HealthRoutes(store: shared.store, mailHealth: shared.mailHealth, node: shared.node, now: shared.now).add(to: router)
    if settings.mode == .development, let folder = shared.mailTransport as? FileTransport {
        DevMailRoutes(
            folder: folder, publicURL: settings.publicURL, finder: finder, web: web,
            policy: securityHeaders.policy
        ).add(to: router)
    }
    router.refuseOtherMethods()

    let mount = Mount(settings)
    // With the debug log each request for a file or a verdict has its line.
    let isQuiet = shared.logger.logLevel > .debug
    let prepared = PreparedAnswers(
        pages: pages, paths: mount.targets(content.sharedPaths(signupOpen: settings.signupOpen)),
        files: isQuiet ? mount.targets(files.byTarget) : [:],
        responders: isQuiet ? applications.responders(mount) : [:],
        headers: securityHeaders.headers, languages: languages, hosts: hosts)
    let connections = ConnectionSettings(settings, patience: shared.connectionPatience)
    return Application(
        responder: RoutesResponder(router, mount: mount),
        server: .init { HTTPChannel(connections, prepared, logger: shared.logger, responder: $0) },
        configuration: ApplicationConfiguration(
            address: .hostname(settings.host, port: settings.port), serverName: nil, backlog: 1024,
            availableConnectionsDelegate: ConnectionLimit(logger: shared.logger)
        ),
        services: [
            mailWorker(shared, MailRenderer(templates: templates, from: settings.mailFrom)),
            PagePreparation(pages: pages, logger: shared.logger),
            ThreadService(
                hasher: shared.hasher, kernels: shared.kernels, providers: shared.providers, logger: shared.logger),
            HousekeepingService(housekeeping: housekeeping, logger: shared.logger),
            LogSummaries(audit: shared.audit),
            NodePresence(store: shared.store, node: shared.node, logger: shared.logger, now: shared.now),
        ],
        logger: shared.logger
    )
}

/// Sends what is in the outbox.
private func mailWorker(_ shared: SharedServices, _ renderer: MailRenderer) -> MailWorker {
    let delivery = MailDelivery(
        store: shared.store, renderer: renderer, transport: shared.mailTransport, key: shared.secretKey,
        health: shared.mailHealth, logger: shared.logger, now: shared.now, node: shared.node)
    return MailWorker(
        store: shared.store, delivery: delivery, signal: shared.outboxSignal, places: shared.settings.mailConcurrency,
        logger: shared.logger, now: shared.now)
}
