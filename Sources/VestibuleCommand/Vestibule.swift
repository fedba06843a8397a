import ArgumentParser
import Foundation
import NIOCore
import NIOPosix
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
        subcommands: [Serve.self, Migrate.self, Doctor.self]
    )

    static func main() async {
        // Requests then run where their bytes arrive, without a change of threads; must come first, on the main thread.
        NIOSingletons.unsafeTryInstallSingletonPosixEventLoopGroupAsConcurrencyGlobalExecutor()
        do {
            var command = try parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch let failure as CommandFailure {
            failure.report()
            Foundation.exit(failure.code)
        } catch {
            exit(withError: error)
        }
    }
}
