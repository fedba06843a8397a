import ArgumentParser
import Essentials
import Vestibule

/// `vestibule users enable`
struct EnableUser: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Let the owner of a disabled account sign in again."
    )

    @OptionGroup var options: OperatorOptions

    @Argument(help: "Address or id of the account.")
    var account: String

    func run() async throws {
        try await options.change(account) { administration, account in
            try await administration.enable(account)
                ? "enabled \(account.email.typed)" : "\(account.email.typed) was not disabled"
        }
    }
}
