import ArgumentParser
import Logging
import Vestibule

/// Flags of the commands that make a database where there is none, and bring it up to date.
struct StartOptions: ParsableArguments {
    @Flag(help: "Start although the database that was here before is gone or another one.")
    var newDatabase = false

    @Flag(help: "Keep no copy of the database before its first migration.")
    var noCopy = false

    /// Before the file is opened, which would make it. Throws `CommandFailure`.
    func checkFile(_ settings: Settings) throws {
        if !newDatabase { try DatabaseMark(settings).checkFile() }
    }

    /// Brings the schema up to date and remembers which database it is. Returns how many migrations
    /// ran; throws `CommandFailure` when it is not the database that was here before, or when there
    /// is no key to serve it with and it has had one.
    @discardableResult
    func migrate(_ store: any Store, _ settings: Settings, isWithoutKey: Bool = false) async throws -> Int {
        let mark = DatabaseMark(settings)
        do {
            if !newDatabase { try mark.check(id: store.databaseID(), isBlank: store.isBlank()) }
            if isWithoutKey, try store.schemaAge() != .newer, let lost = try await Wiring.lostKey(of: store) {
                throw lost
            }
            let count = try await migrateKeepingCopy(store, settings)
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
                hint: "Nothing was changed. Use that version, or \(Self.wayBack(settings)).")
        } catch {
            throw CommandFailure(
                "the database cannot be migrated: \(error)",
                hint: (error as? StoreUnavailable)?.hint
                    ?? "Mend a full disk, a locked file or a missing right, and run it again: finished migrations stay."
            )
        }
    }

    private static func wayBack(_ settings: Settings) -> String {
        let copy = UpgradeCopy(settings)?.kept.last
        return "restore \(copy.map { "\($0), the copy" } ?? "the backup") made before it"
    }
}

extension StartOptions {
    /// The copies made before former versions go once this one has migrated. Where a migration
    /// changed nothing, its copy goes, so that a server that is started again and again fills no
    /// disk.
    private func migrateKeepingCopy(_ store: any StoreLifecycle, _ settings: Settings) async throws -> Int {
        let age = try store.schemaAge()
        guard case .older = age, try !store.isBlank(), !noCopy else { return try store.migrate() }
        let logger = Wiring.logger(settings)
        guard let copies = UpgradeCopy(settings) else {
            logger.notice(
                "database_not_copied",
                metadata: ["event": "database_not_copied", "hint": "pg_dump makes a copy; see cluster.md"])
            return try store.migrate()
        }
        let path = try await copies.make(of: store)
        do {
            let count = try endedBySignal { try store.migrate() }
            copies.deleteFormer()
            logger.notice("database_copied", metadata: ["event": "database_copied", "file": "\(path)"])
            return count
        } catch {
            if (try? store.schemaAge()) == age { UpgradeCopy.delete(path) }
            throw error
        }
    }
}
