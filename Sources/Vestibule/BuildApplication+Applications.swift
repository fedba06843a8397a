import Essentials
import Hummingbird
import Serving

/// Applications behind this site: what lies under `/.vestibule/` on their hosts is handed over by
/// their proxies, which ask for a verdict on everything else.
func addApplications(
    _ shared: SharedServices, _ verdictRoutes: VerdictRoutes, _ signingKeys: SigningKeys, _ files: StaticFiles,
    _ web: Web, _ problems: Problems, to router: Router<AppContext>
) {
    let (verdicts, applications) = (verdictRoutes.verdicts, verdictRoutes.applications)
    let hosts = ApplicationHosts(
        applications: applications, proxies: verdictRoutes.proxies, publicOrigin: verdicts.publicOrigin)
    let handOver = HandOver(store: shared.store, key: shared.secretKey, random: shared.random, now: shared.now)
    verdictRoutes.add(to: router)
    ApplicationSessionAPI(verdicts: verdicts, hosts: hosts, keys: signingKeys, problems: problems).add(to: router)
    EnterRoutes(handOver: handOver, applications: applications, web: web).add(to: router)
    ApplicationHostRoutes(
        handOver: handOver, hosts: hosts, applicationSessions: verdicts.applicationSessions, files: files, web: web
    ).add(to: router)
}

extension VerdictRoutes {
    init(_ shared: SharedServices, _ sessions: Sessions, _ signingKeys: SigningKeys, _ web: Web) {
        let (settings, store, now) = (shared.settings, shared.store, shared.now)
        self.init(
            verdicts: Verdicts(
                sessions: sessions, applicationSessions: ApplicationSessions(sessions: sessions, store: store),
                tokens: MachineTokens(store: store, random: shared.random, now: now),
                assertions: Assertions(
                    keys: signingKeys, issuer: settings.publicURL.text, random: shared.random, now: now),
                publicOrigin: settings.publicURL.origin),
            applications: Applications(settings.applications),
            proxies: ClientAddressFinder(trusted: settings.trustedProxies), loopbackOnly: LoopbackOnly(settings),
            web: web)
    }
}
