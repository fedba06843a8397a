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
    let logger: Logger
    var program = Program(nodeName: "node", version: "0")
    var machine = Machine()

    /// The program that serves.
    package struct Program: Sendable {
        let nodeName: String
        let version: String
        /// Given once it was told to stop.
        package let shutdown = ShutdownNotice()

        package init(nodeName: String, version: String) {
            (self.nodeName, self.version) = (nodeName, version)
        }
    }

    /// What the machine gives; tests bring their own.
    struct Machine: Sendable {
        /// Of these, hashes are made by the first that gives the tags of libargon2.
        var kernels = Argon2Kernel.runningHere
        var random = Randomness.system
        var now: @Sendable () -> Date = { Date() }
        /// Time since some moment, by a clock that nobody sets.
        var passed: @Sendable () -> Duration = SteadyClock.sinceStart
        /// How long a client may take for a head, and again for the rest of its request.
        var connectionPatience = ConnectionSettings.patience
    }
}

extension Dependencies {
    /// Of a program that serves, on a real machine.
    package init(
        settings: Settings, store: any Store, mailTransport: any MailTransport, secretKey: SecretKey,
        commonPasswords: CommonPasswords, logger: Logger, program: Program
    ) {
        self.init(
            settings: settings, store: store, mailTransport: mailTransport, secretKey: secretKey,
            commonPasswords: commonPasswords, logger: logger, program: program, machine: Machine())
    }
}
