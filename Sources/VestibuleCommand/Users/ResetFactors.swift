import ArgumentParser
import Essentials
import Foundation
import Vestibule

/// `vestibule users reset-factors`
struct ResetFactors: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset-factors",
        abstract: "Take passkeys, authenticator app and recovery codes from an account whose owner has lost them.",
        discussion: """
            The owner is mailed, and everything goes after 24 hours, unless somebody uses or changes a factor before. \
            docs/operating/administration.md says what to ask a caller first.
            """
    )

    @OptionGroup var options: OperatorOptions

    @Argument(help: "Address or id of the account.")
    var account: String

    @Flag(help: "Do not wait. Only for somebody who stands before you.")
    var now = false

    func run() async throws {
        try await OperatorSession.open(options.common) { session in
            let account = try await session.account(account).account
            let removal = try session.factorRemoval()
            let done: String
            if now {
                guard try await removal.remove(from: account) else { throw Self.nothing(account) }
                done = "\(account.email.typed) has no second factor any more"
            } else {
                guard let due = try await removal.ask(for: account) else { throw Self.nothing(account) }
                done = "\(account.email.typed) was mailed and loses its second factors at \(due.utc)"
            }
            try await session.report(done, account, json: options.json)
        }
    }

    private static func nothing(_ account: Account) -> CommandFailure {
        CommandFailure(
            .failed, "\(account.email.typed) has no passkey and no authenticator app",
            hint: "`vestibule users show` tells what an account has.")
    }
}
