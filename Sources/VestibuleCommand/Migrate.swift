import ArgumentParser
import Vestibule
import VestibuleSQLite

/// `vestibule migrate`
struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Bring the database up to date.", discussion: "`serve` does this too; for those who want to see it."
    )

    @OptionGroup var options: CommonOptions

    func run() async throws {
        let settings = try options.settings()
        let store = try Wiring.store(settings)
        let count = try await Wiring.closing(store) { try migrate(store) }
        print(count == 0 ? "up to date" : "\(count) migration\(count == 1 ? "" : "s") applied")
    }
}

/// Migrates, or says in one line why not.
@discardableResult
func migrate(_ store: SQLiteStore) throws -> Int {
    do {
        return try store.migrate()
    } catch  where (try? store.schemaAge()) == .newer {
        throw CommandFailure(
            .failed, "the database was written by a newer version of Vestibule",
            hint: "Nothing was changed. Use that version, or restore the backup made before it."
        )
    } catch {
        throw CommandFailure(
            .failed, "the database cannot be migrated: \(error)",
            hint: "Nothing was changed. Is the disk full or the file locked?"
        )
    }
}
