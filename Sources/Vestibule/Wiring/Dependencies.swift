package import Essentials
import Foundation
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
    var commonPasswords = CommonPasswords()
    /// Of these, hashes are made by the first that gives the tags of libargon2.
    var kernels = Argon2Kernel.runningHere
    let logger: Logger
    /// Name and version of the program that serves.
    var nodeName = "node"
    var version = "0"
    var random = Randomness.system
    var now: @Sendable () -> Date = { Date() }
    /// Time since some moment, by a clock that nobody sets.
    var passed: @Sendable () -> Duration = SteadyClock.sinceStart
    /// How long a client may take for a head, and again for the rest of its request.
    var connectionPatience = ConnectionSettings.patience
}

extension Dependencies {
    /// Of a program that serves: clocks, randomness and patience are the real ones.
    package init(
        settings: Settings, store: any Store, mailTransport: any MailTransport, secretKey: SecretKey,
        commonPasswords: CommonPasswords, logger: Logger, nodeName: String, version: String
    ) {
        self.init(
            settings: settings, store: store, mailTransport: mailTransport, secretKey: secretKey,
            commonPasswords: commonPasswords, logger: logger, nodeName: nodeName, version: version, random: .system)
    }
}
