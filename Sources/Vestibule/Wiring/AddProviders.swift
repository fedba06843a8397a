import Hummingbird

/// Sign-in through providers: what an identity can do is shared by browsers and apps.
func addProviders(_ site: SiteServices, to router: Router<AppContext>) {
    let (shared, providers) = (site.shared, site.shared.providers)
    let login = IdentityLogin(store: shared.store, signIns: site.signIns, key: shared.secretKey)
    let signup = ProviderSignup(
        store: shared.store, login: login, terms: site.terms, limits: shared.limits, key: shared.secretKey,
        random: shared.random, isOpen: shared.settings.signupOpen, now: shared.now)
    let native = NativeSignIn(
        store: shared.store, login: login, signup: signup, providers: providers, limits: shared.limits,
        audit: shared.audit, key: shared.secretKey, random: shared.random, logger: shared.logger, now: shared.now)
    NativeSignInAPI(signIn: native, secondStep: site.secondStepAnswer, providers: providers, audit: shared.audit).add(
        to: router)
    guard !providers.all.isEmpty else { return }
    addProviderPages(site, login, signup, to: router)
    if let apple = providers.all.first(where: \.settings.isApple) {
        let notifications = AppleNotifications(
            provider: apple, store: shared.store, providers: providers, mailer: shared.mailer, audit: shared.audit,
            now: shared.now)
        AppleNotificationRoutes(notifications: notifications, audit: shared.audit).add(to: router)
    }
}

/// The pages of sign-in through providers.
private func addProviderPages(
    _ site: SiteServices, _ login: IdentityLogin, _ signup: ProviderSignup, to router: Router<AppContext>
) {
    let (shared, web, key) = (site.shared, site.web, site.shared.secretKey)
    let linking = IdentityLinking(
        store: shared.store, providers: shared.providers, mailer: shared.mailer, audit: shared.audit, key: key,
        random: shared.random, now: shared.now)
    let cookie = AuthCookie(cookies: web.cookies, key: key)
    addProviderRoutes(site, login, linking, cookie, to: router)
    ContinueRoutes(
        signup: signup, linking: linking, providers: shared.providers, audit: shared.audit, stepUp: site.stepUpPages,
        web: web, cookie: cookie
    ).add(to: router)
    let unlinking = IdentityUnlinking(
        store: shared.store, providers: shared.providers, revocation: shared.revocation, mailer: shared.mailer,
        audit: shared.audit)
    IdentityRoutes(
        unlinking: unlinking, providers: shared.providers, links: site.signedLinks, stepUp: site.stepUpPages, web: web
    ).add(to: router)
}

/// Of each provider, the page that leads there and the one it leads back to.
private func addProviderRoutes(
    _ site: SiteServices, _ login: IdentityLogin, _ linking: IdentityLinking, _ cookie: AuthCookie,
    to router: Router<AppContext>
) {
    let (shared, web) = (site.shared, site.web)
    let failures = ProviderFailures(web: web, audit: shared.audit)
    let authorization = ProviderAuthorization(
        store: shared.store, limits: shared.limits, returnTo: shared.returnTo, random: shared.random, now: shared.now)
    let signIn = ProviderSignIn(
        store: shared.store, authorization: authorization, login: login, linking: linking,
        proof: ProviderProof(store: shared.store, sessions: site.sessions), now: shared.now)
    for provider in shared.providers.all {
        ProviderStartRoutes(
            provider: provider, authorization: authorization, stepUp: site.factors.stepUp, failures: failures,
            web: web, cookie: cookie, rememberDefault: shared.settings.rememberDefault
        ).add(to: router)
        ProviderRoutes(provider: provider, rule: signIn, failures: failures, web: web, cookie: cookie).add(to: router)
    }
}
