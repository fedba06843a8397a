import ArgumentParser
import Essentials
import Foundation
import Vestibule

/// `vestibule users delete`
struct DeleteUser: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Erase an account and everything held about it, for good.",
        discussion: "Its owner gets a farewell by mail. Asks first, unless --yes is given."
    )

    @OptionGroup var options: OperatorOptions

    @Argument(help: "Address or id of the account.")
    var account: String

    @Flag(help: "Do not ask.")
    var yes = false

    func run() async throws {
        try await OperatorSession.open(options.common) { session in
            let account = try await session.account(account).account
            if !yes { try Self.ask(account) }
            guard try await session.eraser().erase(account, agent: SecurityEvent.operatorAgent) else {
                throw CommandFailure(
                    .failed, "\(account.email.typed) was deleted just now", hint: "Nothing is left to do.")
            }
            let output = Output()
            if options.json {
                try output.json(Deleted(deleted: account.id))
            } else {
                try output.line(Printable.text("deleted \(account.email.typed)"))
            }
            try output.flush()
        }
    }

    private static func ask(_ account: Account) throws {
        guard isatty(STDIN_FILENO) == 1 else {
            throw CommandFailure(
                .failed, "deleting \(account.email.typed) needs a yes, and nobody can be asked here", hint: "Add --yes."
            )
        }
        Output.note(
            Printable.text("This erases \(account.email.typed) (\(account.displayName)) for good. Type the address:"))
        guard let typed = readLine().flatMap(EmailAddress.init), typed == account.email else {
            throw CommandFailure(
                .failed, "that was not the address; nothing was deleted", hint: "Type it, or add --yes.")
        }
    }
}

private struct Deleted: Encodable {
    let deleted: AccountID
}
