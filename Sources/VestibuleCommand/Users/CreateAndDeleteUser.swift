import ArgumentParser
import Essentials
import Foundation
import Vestibule

struct CreateUser: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make an account and mail its owner an invitation to choose a password.",
        discussion: "The invitation's link works for seven days; `users send-reset` sends another."
    )

    @OptionGroup var options: OperatorOptions

    @Argument(help: "Email address of the new account.")
    var address: String

    @Option(help: "Name of its owner, 1 to 64 characters (default: what stands before the @).")
    var name: String?

    @Option(help: "Language of its mails, one of Templates/locales.")
    var locale = "en"

    func run(_ session: OperatorSession) async throws {
        if locale != "en" { try Wiring.check(language: locale) }
        do {
            let account = try await session.administration().invite(address, name: name, locale: locale)
            try await session.report("created \(account.email.typed) (\(account.id)); an invitation goes out", account)
        } catch let refusal as Refusal {
            let (error, hint) = Self.words(refusal, address)
            throw CommandFailure(error, hint: hint)
        }
    }

    private static func words(_ refusal: Refusal, _ address: String) -> (String, String) {
        switch refusal {
        case .emailTaken: ("\(address) has an account already", "`vestibule users show \(address)` shows it.")
        case .emailInvalid: ("\(address) is no email address", "Such as ada@example.com.")
        default: ("that name cannot be used", "1 to 64 characters, no control characters.")
        }
    }
}

struct DeleteUser: AccountCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Erase an account and everything held about it, for good.",
        discussion: """
            Its owner gets a farewell by mail, unless nobody has proved the address. Asks first, unless --yes is given.
            """
    )

    @OptionGroup var options: AccountOptions

    @Flag(help: "Do not ask.")
    var yes = false

    func run(_ account: Account, _ session: OperatorSession) async throws {
        if !yes { try Self.ask(account) }
        guard try await session.eraser().erase(account, agent: SecurityEvent.operatorAgent) else {
            throw CommandFailure("\(account.email.typed) was deleted just now", hint: "Nothing is left to do.")
        }
        try session.print(["deleted": account.id], "deleted \(account.email.typed)")
    }

    private static func ask(_ account: Account) throws {
        let email = account.email.typed
        guard isatty(STDIN_FILENO) == 1 else {
            throw CommandFailure("deleting \(email) needs a yes, and nobody can be asked here", hint: "Add --yes.")
        }
        Output.note(Printable.text("This erases \(email) (\(account.displayName)) for good. Type the address:"))
        guard let typed = readLine().flatMap(EmailAddress.init), typed == account.email else {
            throw CommandFailure("that was not the address; nothing was deleted", hint: "Type it, or add --yes.")
        }
    }
}
