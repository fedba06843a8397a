package import Essentials
package import Foundation
package import Logging
package import Mailing
package import PasswordHashing
import Serving

/// What an application is made with: settings, and its doors to the outside world.
package struct Dependencies: Sendable {
    let settings: Settings
    let store: any Store
    let mailTransport: any MailTransport
    let secretKey: SecretKey
    /// None of them may be a new password.
    let commonPasswords: CommonPasswords
    /// Of these, hashes are made by the first that gives the tags of libargon2.
    let kernels: [Argon2Kernel]
    let logger: Logger
    /// Name and version of the program that serves.
    let nodeName: String
    let version: String
    let random: Randomness
    let now: @Sendable () -> Date
    /// Time since some moment, by a clock that nobody sets.
    let passed: @Sendable () -> Duration
    /// How long a client may take for a head, and again for the rest of its request.
    let connectionPatience: Duration

    package init(
        settings: Settings, store: any Store, mailTransport: any MailTransport, secretKey: SecretKey,
        commonPasswords: CommonPasswords = CommonPasswords(), kernels: [Argon2Kernel] = Argon2Kernel.runningHere,
        logger: Logger,
        nodeName: String = "node", version: String = "0",
        random: Randomness = .system, now: @escaping @Sendable () -> Date = { Date() },
        passed: @escaping @Sendable () -> Duration = SteadyClock.sinceStart,
        connectionPatience: Duration = ConnectionSettings.patience
    ) {
        self.settings = settings
        self.store = store
        self.mailTransport = mailTransport
        self.secretKey = secretKey
        self.commonPasswords = commonPasswords
        self.kernels = kernels
        self.logger = logger
        (self.nodeName, self.version) = (nodeName, version)
        self.random = random
        self.now = now
        self.passed = passed
        self.connectionPatience = connectionPatience
    }
}
