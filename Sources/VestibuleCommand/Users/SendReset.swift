import ArgumentParser
import Essentials
import Vestibule

/// `vestibule users send-reset`
struct SendReset: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send-reset", abstract: "Mail an account's owner a way to choose a new password.",
        discussion: "Nothing changes before it is used; the link works for seven days."
    )

    @OptionGroup var options: OperatorOptions

    @Argument(help: "Address or id of the account.")
    var account: String

    func run() async throws {
        try await OperatorSession.open(options.common) { session in
            let account = try await session.account(account).account
            guard try await session.administration().sendReset(to: account) else {
                throw CommandFailure(
                    .failed, "\(account.email.typed) is disabled", hint: "Enable it first: vestibule users enable")
            }
            try await session.report("a reset goes out to \(account.email.typed)", account, json: options.json)
        }
    }
}
