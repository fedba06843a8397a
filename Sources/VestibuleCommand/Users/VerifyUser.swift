import ArgumentParser
import Essentials
import Vestibule

/// `vestibule users verify`
struct VerifyUser: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Take an account's mailbox as proved."
    )

    @OptionGroup var options: OperatorOptions

    @Argument(help: "Address or id of the account.")
    var account: String

    func run() async throws {
        try await options.change(account) { administration, account in
            try await administration.verify(account)
                ? "verified \(account.email.typed)" : "\(account.email.typed) was verified already"
        }
    }
}
