import ArgumentParser
import Vestibule

/// `vestibule users enable`
struct EnableUser: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Let the owner of a disabled account sign in again."
    )

    @OptionGroup var options: DeskOptions

    @Argument(help: "Address or id of the account.")
    var account: String

    func run() async throws {
        try await Desk.open(options.common) { desk in
            let account = try await desk.account(account).account
            let isNew = try await desk.administration().enable(account)
            let sentence = isNew ? "enabled \(account.email)" : "\(account.email) was not disabled"
            try await desk.report(sentence, account, json: options.json)
        }
    }
}
