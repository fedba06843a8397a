import Essentials
import Hummingbird
import Serving

/// What applications behind this site learn of their visitors, made once.
struct ApplicationServices: Sendable {
    let verdicts: Verdicts
    let questions: VerdictQuestions
    /// That sign ID tokens, by algorithm; those for assertions among them.
    let keys: [SigningAlgorithm: SigningKeys]
    private let keySets: (forIDTokens: [SigningKeys], forAssertions: [SigningKeys])
    private let sessions: ApplicationSessions
    private let assertions: Assertions
    private let hosts: ApplicationHosts
    private let handOver: HandOver
    private let site: SiteServices

    init(_ site: SiteServices) {
        let (shared, proxies) = (site.shared, site.proxies)
        self.site = site
        let publicURL = shared.settings.publicURL
        let keys = SigningKeys(store: shared.store, secretKey: shared.secretKey, now: shared.now)
        let rsa = SigningKeys(store: shared.store, algorithm: .rs256, secretKey: shared.secretKey, now: shared.now)
        self.keys = [.es256: keys, .rs256: rsa]
        // Without a client no RSA key is made. Some libraries, such as python-jose, take the first
        // key: most ID tokens are signed by RS256, and assertions by ES256.
        keySets = shared.applications.hasClients ? ([rsa, keys], [keys, rsa]) : ([keys], [keys])
        sessions = ApplicationSessions(
            sessions: site.sessions, store: shared.store, publicOrigin: publicURL.origin)
        assertions = Assertions(keys: keys, issuer: publicURL.text, random: shared.random, now: shared.now)
        verdicts = Verdicts(
            sessions: self.sessions,
            tokens: MachineTokens(store: shared.store, author: shared.author), assertions: assertions)
        questions = VerdictQuestions(
            applications: shared.applications, proxies: proxies, publicOrigin: publicURL.origin)
        handOver = HandOver(store: shared.store, key: shared.secretKey, random: shared.random, now: shared.now)
        hosts = ApplicationHosts(
            applications: shared.applications, proxies: proxies, publicOrigin: publicURL.origin)
    }

    /// The verdicts that connections answer by themselves, by target.
    func responders(_ mount: Mount) -> [String: any ImmediateResponder] {
        let responders = VerdictRoutes.families.mapValues {
            VerdictResponder(verdicts: verdicts, questions: questions, family: $0)
        }
        // Proxies ask at the root of the host, and below the path of the public URL.
        return responders.merging(mount.targets(responders)) { known, _ in known }
    }

    func add(to router: Router<AppContext>) {
        let (shared, web) = (site.shared, site.web)
        KeySetRoutes(keys: KeySet(keys: keySets.forIDTokens)).add(to: router)
        VerdictRoutes(
            verdicts: verdicts, questions: questions, refusals: site.entryRefusals, web: web
        ).add(to: router)
        ApplicationSessionAPI(
            sessions: sessions, assertions: assertions, hosts: hosts, keys: KeySet(keys: keySets.forAssertions),
            refusals: site.entryRefusals, problems: site.problems
        ).add(to: router)
        EnterRoutes(
            handOver: handOver, applications: shared.applications, refusals: site.entryRefusals, web: web
        ).add(to: router)
        ApplicationHostRoutes(
            handOver: handOver, hosts: hosts, sessions: sessions, files: site.content.files, web: web
        ).add(to: router)
    }
}
