import ArgumentParser
import Essentials
import Vestibule

/// `vestibule tokens revoke`
struct RevokeToken: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Take a token away: it opens nothing from now on.")

    @OptionGroup var options: OperatorOptions

    @Argument(help: "Id of the token, as `tokens list` shows it.")
    var token: String

    func run() async throws {
        try await OperatorSession.open(options.common) { session in
            guard try await session.machineTokens().revoke(id: token) else {
                throw CommandFailure(
                    .failed, "there is no token \(token)", hint: "`vestibule tokens list` lists them by id.")
            }
            let output = Output()
            if options.json {
                try output.json(["revoked": token])
            } else {
                try output.line("revoked \(Printable.text(token))")
            }
            try output.flush()
        }
    }
}
