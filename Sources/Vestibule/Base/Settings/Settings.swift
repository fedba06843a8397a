package import Essentials
import Foundation
package import Logging
package import Mailing
package import PasswordHashing

/// All settings, read once at start and checked together.
package struct Settings: Sendable {
    package enum Mode: String, Sendable { case development, production }
    package enum LogFormat: Sendable { case text, json }

    package var mode: Mode
    package var host: String
    package var port: Int
    package var publicURL: PublicURL
    package var databaseURL: DatabaseURL
    package var mailURL: MailURL
    package var mailFrom: MailAddress
    var mailConcurrency: Int
    package var secretKey: SecretKey?
    package var trustedProxies: [IPRange]
    var brandName: String
    var brandTagline: String?
    var support: Support
    var afterLoginURL: String
    var returnToOrigins: [Origin]
    var signupOpen: Bool
    package var verificationRequired: Bool
    package var termsVersion: String
    var passwordMinLength: Int
    var passwordMinGuessesLog10: Double
    package var passwordConfirmation: Bool
    package var argon2: Argon2Parameters
    package var hashingThreads: Int
    var hashingQueue: Int
    var limits: LimitSettings
    var sessionLifetimes: SessionLifetimes
    var rememberDefault: Bool
    var activityLifetime: Duration
    package var secondFactor: SecondFactorPolicy
    package var passkeys: Bool
    var devExpose: Bool
    var connectionsPerClient: Int
    package var shutdownDelay: Duration
    package var providers: [ProviderSettings]
    package var applications: [ProtectedApplication]
    package var webhooks: [Webhook]
    package var logLevel: Logger.Level
    package var logFormat: LogFormat

    /// Reads and checks everything, also of the OpenID providers, applications and webhooks named.
    /// Throws all that cannot stand.
    init(
        _ read: SettingsReader, providers: [String] = [], applications: [String] = [], webhooks: [String] = []
    ) throws(SettingFaults) {
        let mode = read.value(.mode, hint: "One of: development, production.") { Mode(rawValue: $0.asciiLowercased) }
        devExpose = read.isOn(.devExpose)
        host = Self.host(read, mode, isExposed: devExpose)
        port = read.integer(.port, in: 0...65_535)
        let publicURL = Self.publicURL(read, mode, port: port, isExposed: devExpose)
        let databaseURL = Self.databaseURL(read)
        let mailURL = Self.mailURL(read, mode)
        if mode == .production, !read.isSet(.mailFrom) {
            read.note(.mailFrom, "is not set, which production mode requires")
        }
        let mailFrom = read.value(
            .mailFrom,
            hint: "Such as: Example <no-reply@example.com>. The address is ASCII: a domain such as bücher.example is "
                + "written xn--bcher-kva.example."
        ) { MailAddress($0) }
        mailConcurrency = read.integer(.mailConcurrency, in: 1...32)
        secretKey = Self.secretKey(read, mode)
        trustedProxies = read.values(
            .trustedProxies, hint: "Such as: 127.0.0.1, 10.0.0.0/8, fd00::/8"
        ) { IPRange($0) }
        brandName = Self.words(read, .brandName) ?? "Vestibule"
        brandTagline = Self.words(read, .brandTagline)
        support = Support(read)
        returnToOrigins = read.values(
            .returnToOrigins, hint: "Origins such as https://app.example.com."
        ) { Origin($0) }
        afterLoginURL = Self.afterLoginURL(read, publicURL)
        signupOpen = read.choice(.signup, ["open": true, "closed": false])
        verificationRequired = read.choice(.verification, ["required": true, "off": false])
        termsVersion = Self.words(read, .termsVersion) ?? "1"
        passwordMinLength = read.integer(.passwordMinLength, in: 6...64)
        passwordMinGuessesLog10 = Double(read.integer(.passwordMinGuessesLog10, in: 0...20))
        passwordConfirmation = read.isOn(.passwordConfirmation)
        argon2 = Self.argon2(read)
        let cores = ProcessInfo.processInfo.activeProcessorCount
        hashingThreads = read.integer(.hashingThreads, in: 1...1024, else: cores)
        hashingQueue = read.integer(.hashingQueue, in: 1...1_000_000, else: 64 * hashingThreads)
        limits = LimitSettings(read)
        sessionLifetimes = SessionLifetimes(read)
        rememberDefault = read.isOn(.rememberDefault)
        // 6m is six minutes. Somebody who means months would lose almost all events at the start.
        activityLifetime = read.duration(
            .activityLifetime, atLeast: .seconds(86_400),
            hint: "At least 1d, such as 180d for six months: m stands for minutes.")
        secondFactor = read.choice(.secondFactor, ["optional": .optional, "required": .required, "off": .off])
        passkeys = read.isOn(.passkeys)
        connectionsPerClient = read.integer(.connectionsPerClient, in: 1...1_000_000)
        shutdownDelay =
            read.value(.shutdownDelay, hint: "A number and s, m, h or d, such as 3s, or off.") {
                $0.isExactly("off") ? .zero : Period($0)?.duration
            } ?? .zero
        self.providers = Self.providers(read, named: providers, mode: mode)
        self.applications = Self.applications(read, named: applications)
        self.webhooks = webhooks.compactMap { Self.webhook(read, $0) }
        let level = read.value(.logLevel) { Logger.Level(rawValue: $0.asciiLowercased) }
        logFormat =
            read.isSet(.logFormat)
            ? read.choice(.logFormat, ["text": .text, "json": .json]) : (mode == .production ? .json : .text)
        guard read.faults.isEmpty, let chosen = mode, let url = publicURL, let database = databaseURL,
            let mail = mailURL, let sender = mailFrom, let logged = level
        else { throw SettingFaults(all: read.faults) }
        self.mode = chosen
        self.publicURL = url
        self.databaseURL = database
        self.mailURL = mail
        self.mailFrom = sender
        logLevel = logged
    }
}

/// Whether accounts have second factors.
package enum SecondFactorPolicy: Sendable {
    /// Who has one is asked for it.
    case optional
    /// Who has none must add one after signing in.
    case required
    /// Nobody is asked, and none is offered.
    case off
}

extension Settings {
    /// Whether passkeys are offered and accepted: browsers know those of hosts with a name only
    /// (WebAuthn level 3, section 5.1.2).
    package var offersPasskeys: Bool {
        let host = publicURL.origin.host.trimming { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }
        return passkeys && IPAddress(host) == nil
    }

    var factorPolicy: FactorPolicy {
        FactorPolicy(asksSecondFactor: secondFactor != .off, takesPasskeys: offersPasskeys)
    }

    /// Files with secrets that the settings name.
    package var secretFiles: [String] {
        webhooks.compactMap(\.secretFile)
            + providers.compactMap { if case .apple(let key) = $0.proof { key.file } else { nil } }
    }

    var waysInUse: WaysInUse { WaysInUse(providers: providers.map(\.name), passkeys: offersPasskeys) }

    /// What passkeys need below `/.well-known/` of the public host.
    package var passkeyFiles: [String] {
        guard offersPasskeys else { return [] }
        let hasApps = providers.contains { !$0.appleApps.isEmpty }
        return ["passkey-endpoints"] + (hasApps ? ["apple-app-site-association"] : [])
    }
}

extension Settings {
    /// What a guesser who knows the site tries first: name, owner, sender, hosts and applications.
    var siteTexts: [String] {
        let origins = applications.flatMap { $0.origins + $0.formTargets.compactMap { Origin(ofURL: $0) } }
        let hosts = ([publicURL.origin] + origins).map(\.host)
        return [brandName, support.owner ?? "", mailFrom.address] + hosts + applications.map(\.label)
    }
}
