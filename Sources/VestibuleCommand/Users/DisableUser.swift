import ArgumentParser
import Essentials
import Vestibule

/// `vestibule users disable`
struct DisableUser: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "End an account's sessions and let nobody sign in to it."
    )

    @OptionGroup var options: OperatorOptions

    @Argument(help: "Address or id of the account.")
    var account: String

    func run() async throws {
        try await options.change(account) { administration, account in
            try await administration.disable(account)
                ? "disabled \(account.email.typed)" : "\(account.email.typed) was disabled already"
        }
    }
}
