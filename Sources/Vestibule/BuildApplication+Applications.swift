import Essentials
import Hummingbird
import Serving

/// Applications behind this site: a proxy asks whether a request may pass, and hands over what lies
/// under `/.vestibule/` on their hosts.
func addApplications(
    _ shared: SharedServices, _ sessions: Sessions, _ signingKeys: SigningKeys, _ files: StaticFiles, _ web: Web,
    _ problems: Problems, to router: Router<AppContext>
) {
    let (settings, store, now) = (shared.settings, shared.store, shared.now)
    let applications = Applications(settings.applications)
    let proxies = ClientAddressFinder(trusted: settings.trustedProxies)
    let publicOrigin = settings.publicURL.origin
    let hosts = ApplicationHosts(applications: applications, proxies: proxies, publicOrigin: publicOrigin)
    let applicationSessions = ApplicationSessions(sessions: sessions, store: store)
    let handOver = HandOver(store: store, key: shared.secretKey, random: shared.random, now: now)
    let verdicts = Verdicts(
        sessions: sessions, applicationSessions: applicationSessions,
        tokens: MachineTokens(store: store, random: shared.random, now: now),
        assertions: Assertions(keys: signingKeys, issuer: settings.publicURL.text, random: shared.random, now: now),
        publicOrigin: publicOrigin)
    VerdictRoutes(verdicts: verdicts, applications: applications, proxies: proxies, web: web).add(to: router)
    ApplicationSessionAPI(verdicts: verdicts, hosts: hosts, keys: signingKeys, problems: problems).add(to: router)
    EnterRoutes(handOver: handOver, applications: applications, web: web).add(to: router)
    ApplicationHostRoutes(
        handOver: handOver, hosts: hosts, applicationSessions: applicationSessions, files: files, web: web
    ).add(to: router)
}
