import Essentials
import Serving

/// What pages and calls of several groups are made with, made once for `buildApplication`.
struct SiteServices: Sendable {
    let shared: SharedServices
    let content: SiteContent
    let web: Web
    let languages: Languages
    let securityHeaders: SecurityHeaders
    let hosts: KnownHosts
    let proxies: ClientAddressFinder
    let problems: Problems
    let terms: Terms
    let sessions: Sessions
    let factors: FactorServices
    let signIns: SignIns

    init(_ shared: SharedServices, _ content: SiteContent) {
        let (settings, pages) = (shared.settings, content.pages)
        let cookies = SiteCookies(publicURL: settings.publicURL.origin)
        (self.shared, self.content) = (shared, content)
        securityHeaders = SecurityHeaders(settings)
        let destinations = Destinations(headers: securityHeaders, application: shared.wishedApplication)
        web = Web(
            pages: pages, cookies: cookies, key: shared.secretKey, publicURL: settings.publicURL,
            returnTo: shared.returnTo, destinations: destinations, audit: shared.audit, now: shared.now)
        languages = Languages(locales: pages.templates.locales, cookies: cookies)
        hosts = KnownHosts(settings)
        proxies = ClientAddressFinder(trusted: settings.trustedProxies)
        problems = Problems(web: web, description: settings.publicURL.url(DescriptionAPI.path))
        terms = Terms(
            version: settings.termsVersion, locales: pages.templates.locales,
            text: { PageText.main(of: try pages.text(of: "terms", locale: $0)) }, random: shared.random)
        sessions = Sessions(
            store: shared.store, audit: shared.audit, lifetimes: settings.sessionLifetimes,
            requiresFactor: settings.secondFactor == .required, termsVersion: settings.termsVersion)
        factors = FactorServices(shared, sessions: sessions, cookies: cookies)
        let secondSteps = SecondSteps(
            store: shared.store, browsers: shared.browsers, audit: shared.audit,
            policy: settings.factorPolicy,
            asksProof: { [authorization = shared.authorization] in authorization($0)?.effectiveMaxAge != nil },
            now: shared.now)
        signIns = SignIns(
            store: shared.store, secondSteps: secondSteps, sessions: sessions, browsers: shared.browsers,
            newSignIns: shared.newSignIns, audit: shared.audit, returnTo: shared.returnTo,
            verificationRequired: settings.verificationRequired)
    }

    var entryRefusals: EntryRefusals {
        EntryRefusals(audit: shared.audit, store: shared.store, key: shared.secretKey)
    }

    var reauthentication: Reauthentication { factors.reauthentication }

    /// For pages whose forms carry the password themselves.
    var stepUpPages: StepUpPages {
        StepUpPages(rule: factors.stepUp, challenges: factors.challengeCookie, web: web)
    }
}

extension SharedServices {
    /// The application that a granted wish leads to.
    fileprivate var wishedApplication: @Sendable (String) -> ProtectedApplication? {
        let wished = WishedApplication(
            handOver: HandOver(store: store, key: secretKey, random: random, now: now), applications: applications,
            publicURL: settings.publicURL)
        return { wish in
            wished.application(wish) ?? authorization(wish).flatMap { applications.client($0.client) }
        }
    }

    /// The client's request that a granted wish leads to.
    var authorization: @Sendable (String) -> AuthorizationRequest? {
        let reader = AuthorizationReader(
            applications: applications, hints: IDTokenHints(keys: [], issuer: ""), key: secretKey, now: now)
        return { reader.request(at: $0, publicURL: settings.publicURL) }
    }
}
