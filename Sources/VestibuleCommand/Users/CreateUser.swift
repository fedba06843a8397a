import ArgumentParser
import Essentials
import Foundation
import Vestibule

/// `vestibule users create`
struct CreateUser: AsyncParsableCommand {
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

    func run() async throws {
        try await OperatorSession.open(options.common) { session in
            if locale != "en" { try Wiring.check(language: locale) }
            let account = try await invite(session)
            try await session.report(
                "created \(account.email.typed) (\(account.id)); an invitation goes out", account, json: options.json)
        }
    }

    private func invite(_ session: OperatorSession) async throws -> Account {
        do {
            return try await session.administration().invite(address, name: name, locale: locale)
        } catch let refusal as Refusal {
            let (error, hint) = Self.words(refusal, address)
            throw CommandFailure(.failed, error, hint: hint)
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
