import ArgumentParser
import Vestibule

/// `vestibule migrate`
struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Bring the database up to date.",
        discussion:
            "`serve` does this too; for those who want to see it. A copy of the database is kept beside it first."
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var start: StartOptions

    func run() async throws {
        let settings = try options.settings()
        try start.checkFile(settings)
        let store = try Wiring.store(settings.databaseURL)
        let count = try await Wiring.closing(store) { try await start.migrate(store, settings) }
        try Output.print(count == 0 ? "up to date" : "\(count) migration\(count == 1 ? "" : "s") applied")
    }
}
