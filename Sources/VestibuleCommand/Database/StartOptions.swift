import ArgumentParser
import Logging
import Vestibule

/// Flags of the commands that make a database where there is none.
struct StartOptions: ParsableArguments {
    @Flag(help: "Start although the database that was here before is gone or another one.")
    var newDatabase = false

    /// Before the file is opened, which would make it. Throws `CommandFailure`.
    func checkFile(_ settings: Settings) throws {
        if !newDatabase { try DatabaseMark(settings).checkFile() }
    }

    /// Brings the schema up to date and remembers which database it is. Returns how many migrations
    /// ran; throws `CommandFailure` when it is not the database that was here before.
    @discardableResult
    func migrate(_ store: any StoreLifecycle, _ settings: Settings) throws -> Int {
        let mark = DatabaseMark(settings)
        do {
            if !newDatabase { try mark.check(id: store.databaseID(), isBlank: store.isBlank()) }
            let count = try store.migrate()
            if let id = try store.databaseID(), !mark.keep(id: id) {
                Wiring.logger(settings).warning(
                    "database_mark_not_kept",
                    metadata: ["event": "database_mark_not_kept", "hint": "let this user write to the working folder"])
            }
            return count
        } catch let failure as CommandFailure {
            throw failure
        } catch  where (try? store.schemaAge()) == .newer {
            throw CommandFailure(
                "the database was written by a newer version of Vestibule",
                hint: "Nothing was changed. Use that version, or restore the backup made before it."
            )
        } catch {
            throw CommandFailure(
                "the database cannot be migrated: \(error)",
                hint: "Nothing was changed. Is the disk full, the file locked, or a right missing?"
            )
        }
    }
}
