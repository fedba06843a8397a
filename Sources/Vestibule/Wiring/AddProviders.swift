import Hummingbird

/// Sign-in through providers: what an identity can do is shared by browsers and apps.
func addProviders(_ site: SiteServices, to router: Router<AppContext>) {
    let (shared, providers) = (site.shared, site.shared.providers)
    let login = IdentityLogin(store: shared.store, signIns: site.signIns, key: shared.secretKey)
    let signup = ProviderSignup(
        store: shared.store, login: login, terms: site.terms, limits: shared.limits, key: shared.secretKey,
        random: shared.random, isOpen: shared.settings.signupOpen, now: shared.now)
    addNativeSignIn(site, login, signup, to: router)
    guard !providers.all.isEmpty else { return }
    addProviderPages(site, login, signup, to: router)
    if let apple = providers.all.first(where: \.settings.isApple) {
        let notifications = AppleNotifications(
            provider: apple, store: shared.store, providers: providers, mailer: shared.mailer, audit: shared.audit)
        AppleNotificationRoutes(notifications: notifications).add(to: router)
    }
}

private func addNativeSignIn(
    _ site: SiteServices, _ login: IdentityLogin, _ signup: ProviderSignup, to router: Router<AppContext>
) {
    let shared = site.shared
    let signIn = NativeSignIn(
        store: shared.store, login: login, signup: signup, providers: shared.providers, limits: shared.limits,
        nonces: NativeNonces(key: shared.secretKey, random: shared.random, now: shared.now),
        grants: NativeGrants(
            store: shared.store, audit: shared.audit, key: shared.secretKey, logger: shared.logger))
    NativeSignInAPI(signIn: signIn, audit: shared.audit, problems: site.problems).add(to: router)
}

private func addProviderPages(
    _ site: SiteServices, _ login: IdentityLogin, _ signup: ProviderSignup, to router: Router<AppContext>
) {
    let (shared, web) = (site.shared, site.web)
    let linking = IdentityLinking(
        store: shared.store, providers: shared.providers, changes: site.factors.changes, key: shared.secretKey)
    let changed = FactorChangeAnswer(store: shared.store, web: web)
    addProviderRoutes(site, login, linking, changed, to: router)
    ContinueRoutes(
        signup: signup, linking: linking, stepUp: site.stepUpPages, changed: changed, web: web
    ).add(to: router)
    let unlinking = IdentityUnlinking(
        store: shared.store, providers: shared.providers, revocation: shared.revocation,
        changes: site.factors.changes, inUse: shared.settings.waysInUse)
    IdentityRoutes(unlinking: unlinking, stepUp: site.stepUpPages, changed: changed, web: web).add(to: router)
}

/// Of each provider, the page that leads there and the one it leads back to.
private func addProviderRoutes(
    _ site: SiteServices, _ login: IdentityLogin, _ linking: IdentityLinking, _ changed: FactorChangeAnswer,
    to router: Router<AppContext>
) {
    let (shared, web) = (site.shared, site.web)
    let wished = shared.authorization
    let authorization = ProviderAuthorization(
        store: shared.store, limits: shared.limits, returnTo: shared.returnTo,
        clientMaxAge: { wished($0)?.effectiveMaxAge }, audit: shared.audit)
    let signIn = ProviderSignIn(
        store: shared.store, authorization: authorization, login: login, linking: linking,
        sessions: site.sessions, now: shared.now)
    for provider in shared.providers.all {
        ProviderStartRoutes(
            provider: provider, authorization: authorization, stepUp: site.factors.stepUp, web: web,
            rememberDefault: shared.settings.rememberDefault
        ).add(to: router)
        ProviderRoutes(provider: provider, rule: signIn, changed: changed, web: web).add(to: router)
    }
}
