import Essentials
import Hummingbird

/// Applications sign people in by OpenID Connect. Without such an application nothing is served.
func addOpenID(_ site: SiteServices, _ keys: [SigningAlgorithm: SigningKeys], to router: Router<AppContext>) {
    let (shared, web) = (site.shared, site.web)
    guard shared.applications.hasClients else { return }
    let (applications, issuer) = (shared.applications, shared.settings.publicURL)
    let hints = IDTokenHints(keys: Array(keys.values), issuer: issuer.text)
    DiscoveryRoutes(publicURL: issuer).add(to: router)
    AuthorizationRoutes(
        rule: Authorization(
            store: shared.store, applications: applications, audit: shared.audit, limits: shared.limits),
        reader: AuthorizationReader(applications: applications, hints: hints, key: shared.secretKey, now: shared.now),
        sessions: site.sessions, entryRefusals: site.entryRefusals, web: web
    ).add(to: router)
    ConsentRoutes(store: shared.store, web: web).add(to: router)
    SignOutRoutes(
        reader: SignOutReader(applications: applications, hints: hints, key: shared.secretKey, now: shared.now),
        sessions: site.sessions, web: web
    ).add(to: router)
    addTokens(site, keys, to: router)
}

private func addTokens(
    _ site: SiteServices, _ keys: [SigningAlgorithm: SigningKeys], to router: Router<AppContext>
) {
    let shared = site.shared
    let authentication = ClientAuthentication(
        applications: shared.applications,
        secrets: ClientSecrets(store: shared.store, author: shared.author), limits: shared.limits, now: shared.now)
    TokenRoutes(
        tokens: ClientTokens(
            store: shared.store, keys: keys, issuer: shared.settings.publicURL.text, audit: shared.audit,
            requiresFactor: site.sessions.requiresFactor),
        calls: ClientCalls(
            authentication: authentication,
            refusals: ClientRefusals(applications: shared.applications, audit: shared.audit), now: shared.now)
    ).add(to: router)
    UserinfoRoutes(store: shared.store, applications: shared.applications, now: shared.now).add(to: router)
}
