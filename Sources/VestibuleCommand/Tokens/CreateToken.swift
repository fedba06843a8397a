import ArgumentParser
import Essentials
import Foundation
import Vestibule

/// `vestibule tokens create`
struct CreateToken: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make a token that lets a script or a service into one application.",
        discussion: "It is printed once and cannot be shown again. The machine sends it as `Vestibule-Token`."
    )

    @OptionGroup var options: OperatorOptions

    @Option(help: "Name of the application in the settings.")
    var app: String

    @Option(help: "What the token is called in listings, 1 to 100 characters.")
    var label: String

    @Option(help: "How long it is good, such as 12h or 90d, at most 3650d (default: until it is revoked).")
    var expires: String?

    private static let longest = Duration.seconds(3650 * 86_400)

    func validate() throws {
        guard MachineTokens.Label(label) != nil else {
            throw ValidationError("--label takes 1 to 100 characters that can be shown.")
        }
        guard let expires else { return }
        guard let lifetime = Period(expires)?.duration, (.seconds(1)...Self.longest).contains(lifetime) else {
            throw ValidationError("--expires takes a time such as 12h or 90d, at most 3650d.")
        }
    }

    func run() async throws {
        guard let label = MachineTokens.Label(label) else { return }
        try await OperatorSession.open(options.common) { session in
            let (token, secret) = try await session.machineTokens().create(
                for: session.application(app), label: label, lifetime: expires.flatMap { Period($0)?.duration })
            let output = Output()
            if options.json {
                try output.json(Created(token: secret.text, row: TokenRow(token)))
            } else {
                try output.line(secret.text)
                Output.note("This is token \(token.id). It is not shown again.")
            }
            try output.flush()
        }
    }

    /// The secret beside what a listing shows.
    private struct Created: Encodable {
        let token: String
        let row: TokenRow

        private enum Keys: CodingKey { case token }

        func encode(to encoder: any Encoder) throws {
            try row.encode(to: encoder)
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(token, forKey: .token)
        }
    }
}
