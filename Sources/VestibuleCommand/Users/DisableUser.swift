import ArgumentParser
import Vestibule

/// `vestibule users disable`
struct DisableUser: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "End an account's sessions and let nobody sign in to it."
    )

    @OptionGroup var options: DeskOptions

    @Argument(help: "Address or id of the account.")
    var account: String

    func run() async throws {
        try await Desk.open(options.common) { desk in
            let account = try await desk.account(account).account
            let isNew = try await desk.administration().disable(account)
            let sentence = isNew ? "disabled \(account.email)" : "\(account.email) was disabled already"
            try await desk.report(sentence, account, json: options.json)
        }
    }
}
