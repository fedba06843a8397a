import Configuration
package import Essentials
import Foundation
package import Logging
package import Mailing
package import PasswordHashing

/// All settings, read once at start and checked together.
package struct Settings: Sendable {
    package enum Mode: Sendable { case development, production }
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
    var afterLoginURL: String
    var returnToOrigins: [Origin]
    var signupOpen: Bool
    var verificationRequired: Bool
    package var termsVersion: String
    var passwordMinLength: Int
    var passwordMinGuessesLog10: Double
    var passwordConfirmation: Bool
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
    package var providers: [ProviderSettings]
    package var applications: [ProtectedApplication]
    package var logLevel: Logger.Level
    package var logFormat: LogFormat

    /// Reads and checks everything, also of the OpenID providers and applications named. Throws
    /// `SettingFault` for the first value that cannot stand.
    init(
        _ config: ConfigReader, providers: [String] = [], applications: [String] = []
    ) throws(SettingFault) {
        let read = SettingsReader(config: config)
        mode = try read.choice(.mode, ["development": .development, "production": .production])
        host = try read.required(.host)
        port = try read.integer(.port, in: 0...65_535)
        publicURL = try Self.publicURL(read, port: port)
        databaseURL = try Self.databaseURL(read)
        mailURL = try Self.mailURL(read)
        mailFrom = try read.value(.mailFrom, hint: "Such as: Example <no-reply@example.com>") { MailAddress($0) }
        mailConcurrency = try read.integer(.mailConcurrency, in: 1...32)
        secretKey = try Self.secretKey(read)
        trustedProxies = try read.values(
            .trustedProxies, hint: "Such as: 127.0.0.1, 10.0.0.0/8, fd00::/8"
        ) { IPRange($0) }
        brandName = try Self.words(read, .brandName) ?? "Vestibule"
        brandTagline = try Self.words(read, .brandTagline)
        returnToOrigins = try read.values(
            .returnToOrigins, hint: "Origins such as https://app.example.com."
        ) { Origin($0) }
        afterLoginURL = try Self.afterLoginURL(read, publicURL)
        signupOpen = try read.choice(.signup, ["open": true, "closed": false])
        verificationRequired = try read.choice(.verification, ["required": true, "off": false])
        termsVersion = try Self.words(read, .termsVersion) ?? "1"
        passwordMinLength = try read.integer(.passwordMinLength, in: 6...64)
        passwordMinGuessesLog10 = Double(try read.integer(.passwordMinGuessesLog10, in: 0...20))
        passwordConfirmation = try read.choice(.passwordConfirmation, ["on": true, "off": false])
        argon2 = try Self.argon2(read)
        let cores = ProcessInfo.processInfo.activeProcessorCount
        hashingThreads = try read.integer(.hashingThreads, in: 1...1024, else: cores)
        hashingQueue = try read.integer(.hashingQueue, in: 1...1_000_000, else: 64 * hashingThreads)
        limits = try LimitSettings(read)
        sessionLifetimes = try SessionLifetimes(read)
        rememberDefault = try read.choice(.rememberDefault, ["on": true, "off": false])
        activityLifetime = try read.duration(.activityLifetime)
        secondFactor = try read.choice(
            .secondFactor, ["optional": .optional, "required": .required, "off": .off])
        passkeys = try read.choice(.passkeys, ["on": true, "off": false])
        devExpose = try read.choice(.devExpose, ["on": true, "off": false])
        connectionsPerClient = try read.integer(.connectionsPerClient, in: 1...1_000_000)
        self.providers = try Self.providers(read, named: providers, mode: mode)
        self.applications = try Self.applications(read, named: applications)
        logLevel = try read.value(.logLevel) { Logger.Level(rawValue: $0) }
        logFormat =
            try read.text(.logFormat) == nil
            ? (mode == .production ? .json : .text)
            : read.choice(.logFormat, ["text": .text, "json": .json])
        try checkProduction()
        try checkDevelopment()
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

    /// What passkeys need below `/.well-known/` of the public host.
    package var passkeyFiles: [String] {
        guard offersPasskeys else { return [] }
        let hasApps = providers.contains { !$0.appleApps.isEmpty }
        return ["passkey-endpoints"] + (hasApps ? ["apple-app-site-association"] : [])
    }
}
