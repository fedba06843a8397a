package import Essentials
package import Foundation
package import Logging
package import Mailing
package import PasswordHashing

/// All the application needs, made once and handed in; features take what they use.
package struct Needs: Sendable {
    package let settings: Settings
    package let store: any Store
    package let mailTransport: any MailTransport
    package let secretKey: SecretKey
    package let hasher: PasswordHasher
    package let passwordJudge: PasswordJudge
    package let limits: RateLimits
    package let audit: Audit
    package let outboxSignal: OutboxSignal
    package let mailer: Mailer
    package let browsers: KnownBrowsers
    package let newPasswords: NewPasswords
    package let codes: Codes
    package let codeFlows: CodeFlows
    package let mailHealth = MailHealth()
    package let providers: Providers
    package let returnTo: ReturnTo
    package let random: Randomness
    package let logger: Logger
    package let now: @Sendable () -> Date

    package init(
        settings: Settings, store: any Store, mailTransport: any MailTransport, secretKey: SecretKey, logger: Logger,
        random: Randomness = .system, now: @escaping @Sendable () -> Date = { Date() },
        passed: @escaping @Sendable () -> Duration = SteadyClock.sinceStart
    ) {
        self.settings = settings
        self.store = store
        self.mailTransport = mailTransport
        self.secretKey = secretKey
        self.logger = logger
        self.random = random
        self.now = now
        hasher = PasswordHasher(
            parameters: settings.argon2, threads: settings.hashingThreads, queueLimit: settings.hashingQueue,
            randomBytes: random.bytes
        )
        passwordJudge = PasswordJudge(
            policy: PasswordPolicy(
                minimumLength: settings.passwordMinLength, minimumGuessesLog10: settings.passwordMinGuessesLog10,
                brand: settings.brandName
            ),
            hasher: hasher
        )
        limits = RateLimits(store: store, key: secretKey, limits: settings.limits.byAction)
        audit = Audit(logger: logger, random: random, now: now)
        outboxSignal = OutboxSignal()
        mailer = Mailer(key: secretKey, random: random, signal: outboxSignal, now: now)
        browsers = KnownBrowsers(store: store, key: secretKey, random: random, now: now)
        newPasswords = NewPasswords(judge: passwordJudge, asksTwice: settings.passwordConfirmation, now: now)
        codes = Codes(key: secretKey, random: random, clock: SteadyClock(wall: now, passed: passed))
        codeFlows = CodeFlows(
            codes: codes, store: store, limits: limits, browsers: browsers, passwords: newPasswords, audit: audit,
            key: secretKey, now: now)
        providers = Providers(settings.providers, publicURL: settings.publicURL)
        returnTo = ReturnTo(settings)
    }
}

extension NewSignIns {
    init(needs: Needs) {
        self.init(store: needs.store, mailer: needs.mailer, now: needs.now)
    }
}

extension ProviderRevocation {
    init(needs: Needs) {
        self.init(providers: needs.providers, key: needs.secretKey, logger: needs.logger, now: needs.now)
    }
}
