import ArgumentParser
import Essentials
import Vestibule

/// `vestibule tokens list`
struct ListTokens: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List tokens, newest first; expired ones stay for 30 days.")

    @OptionGroup var options: OperatorOptions

    @Option(help: "Only of this application; one that is not in the settings any more, too.")
    var app: String?

    func run() async throws {
        try await OperatorSession.open(options.common) { session in
            var listing = Listing<TokenRow>(json: options.json)
            let tokens = try await session.machineTokens().list(application: app?.asciiLowercased)
            try listing.add(tokens.map(TokenRow.init))
        }
    }
}
