import ArgumentParser
import Vestibule

/// `vestibule users verify`
struct VerifyUser: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Take an account's mailbox as proved."
    )

    @OptionGroup var options: DeskOptions

    @Argument(help: "Address or id of the account.")
    var account: String

    func run() async throws {
        try await Desk.open(options.common) { desk in
            let account = try await desk.account(account).account
            let isNew = try await desk.administration().verify(account)
            let sentence = isNew ? "verified \(account.email)" : "\(account.email) was verified already"
            try await desk.report(sentence, account, json: options.json)
        }
    }
}
