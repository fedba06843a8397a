import Essentials
import Foundation
import Logging
import Mailing
import PasswordHashing

/// Services that several features share, made once for `buildApplication`, which hands each rule
/// what it uses. No rule takes or keeps all of them.
struct SharedServices: Sendable {
    let settings: Settings
    let store: any Store
    let mailTransport: any MailTransport
    let secretKey: SecretKey
    let logger: Logger
    let random: Randomness
    let now: @Sendable () -> Date
    let node: Node
    let connectionPatience: Duration
    let shutdown: ShutdownNotice
    let hasher: PasswordHasher
    let kernels: [Argon2Kernel]
    let limits: RateLimits
    let audit: Audit
    let outboxSignal: OutboxSignal
    let mailer: Mailer
    let browsers: KnownBrowsers
    let newPasswords: NewPasswords
    let codes: Codes
    let codeFlows: CodeFlows
    let mailHealth = MailHealth()
    let providers: Providers
    let revocation: ProviderRevocation
    let newSignIns: NewSignIns
    let returnTo: ReturnTo
    let applications: Applications
    let passwordJudge: PasswordJudge

    var author: Operator { Operator(random: random, now: now) }

    init(_ dependencies: Dependencies) {
        let (program, machine) = (dependencies.program, dependencies.machine)
        settings = dependencies.settings
        store = dependencies.store
        mailTransport = dependencies.mailTransport
        secretKey = dependencies.secretKey
        logger = dependencies.logger
        random = machine.random
        now = machine.now
        node = Node(
            id: random.id(), name: program.nodeName, version: program.version, startedAt: now(),
            keys: NodeKeys(secretKey))
        connectionPatience = machine.connectionPatience
        shutdown = program.shutdown
        kernels = machine.kernels
        hasher = PasswordHasher(
            parameters: settings.argon2, threads: settings.hashingThreads, queueLimit: settings.hashingQueue,
            randomBytes: random.bytes
        )
        passwordJudge = PasswordJudge(
            policy: PasswordPolicy(
                minimumLength: settings.passwordMinLength, minimumGuessesLog10: settings.passwordMinGuessesLog10,
                site: settings.siteTexts, common: dependencies.commonPasswords
            ),
            hasher: hasher
        )
        limits = RateLimits(store: store, key: secretKey, limits: settings.limits.byAction)
        audit = Audit(logger: logger, random: random, now: now)
        outboxSignal = OutboxSignal()
        mailer = Mailer(key: secretKey, random: random, signal: outboxSignal, now: now)
        browsers = KnownBrowsers(store: store, key: secretKey, random: random, now: now)
        newPasswords = NewPasswords(judge: passwordJudge, asksTwice: settings.passwordConfirmation, now: now)
        codes = Codes(key: secretKey, random: random, clock: SteadyClock(wall: now, passed: machine.passed))
        codeFlows = CodeFlows(
            codes: codes, store: store, limits: limits, browsers: browsers, passwords: newPasswords, audit: audit,
            key: secretKey, now: now)
        providers = Providers(settings.providers, publicURL: settings.publicURL, passed: machine.passed)
        returnTo = ReturnTo(settings)
        applications = Applications(settings.applications)
        revocation = ProviderRevocation(providers: providers, key: secretKey, logger: logger, now: now)
        newSignIns = NewSignIns(store: store, mailer: mailer, now: now)
    }
}
