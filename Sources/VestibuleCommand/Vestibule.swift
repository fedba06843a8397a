import ArgumentParser
import Bytes
import Foundation
import Vestibule

/// The program. Exit codes: 0 done, 1 refused or failed, 64 bad usage, 78 bad configuration.
@main
struct VestibuleProgram: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vestibule",
        abstract: "A self-hosted front door: sign-up and login for your own site.",
        discussion: """
            Settings come from command-line flags, the environment, .env in the working directory, and defaults, in this \
            order. `vestibule doctor --settings` lists them all.
            """,
        version: ProgramVersion.current,
        subcommands: [
            Serve.self, Migrate.self, Doctor.self, UpgradeCheck.self, Users.self, SessionsCommand.self,
            MailCommand.self, AuditCommand.self, Backup.self, Copy.self, KeysCommand.self, TokensCommand.self,
            SignalsCommand.self, NodesCommand.self, AppsCommand.self, ProxyConfig.self, CheckProxy.self,
            ThemeCommand.self, Healthcheck.self, VersionCommand.self,
        ]
    )

    static func main() async {
        do {
            var command = try parsed()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch is ClosedPipe {
            Foundation.exit(0)
        } catch {
            // Help that was asked for is no failure.
            guard exitCode(for: error) != .success else { exit(withError: error) }
            let failure = failure(error)
            failure.report()
            Foundation.exit(failure.code)
        }
    }

    /// Reads the options of `serve` alone, as preparing all other commands would make each start
    /// slower. Anything else, `serve --help` and wrong options too, is read with all commands.
    private static func parsed() throws -> any ParsableCommand {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.first?.isExactly("serve") == true else { return try parseAsRoot() }
        // They are read from now on.
        _ = Serve.files
        return try (try? Serve.parse(Array(arguments.dropFirst()))) ?? parseAsRoot()
    }

    private static func failure(_ error: any Error) -> CommandFailure {
        if let failure = error as? CommandFailure { return failure }
        guard exitCode(for: error) == .validationFailure else {
            return CommandFailure("\(error)", hint: "This was not foreseen. Please tell us what you did.")
        }
        let said = fullMessage(for: error, columns: .max)
        // Characters: the words are our own.
        let parts = said.replacing("\n  See ", with: ". See ").split(separator: "\nUsage: ")
        let usage = parts.dropFirst().joined()
        let meant = CommandSuggestion.nearest(to: Array(CommandLine.arguments.dropFirst()), in: Self.self)
        return CommandFailure(
            .badUsage, message(for: error), hint: "\(meant.map { "Did you mean `\($0)`? " } ?? "")usage: \(usage)")
    }
}
