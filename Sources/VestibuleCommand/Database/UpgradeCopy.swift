import Essentials
import Foundation
import Vestibule

/// The copy of a database of SQLite that is kept before the first migration of a version: the way
/// back to the version before.
struct UpgradeCopy {
    private let database: URL
    private static let middle = "-before-"

    /// Returns nil for PostgreSQL, which its own tools copy.
    init?(_ settings: Settings) {
        guard let file = settings.databaseURL.file else { return nil }
        database = URL(filePath: file)
    }

    /// What the names of all copies of this database begin with, such as `vestibule-before-`.
    private var beginning: String { database.deletingPathExtension().lastPathComponent + Self.middle }

    /// The database's extension: `app.db` and `app.sqlite` in one folder keep copies of their own.
    private var ending: String { database.pathExtension.isEmpty ? "" : "." + database.pathExtension }

    private var folder: URL { database.deletingLastPathComponent() }

    /// Copies the database and checks the copy, which has mode 0600. Returns its path; throws
    /// `CommandFailure` when there is no room or no copy could be made.
    func make(of store: any StoreLifecycle) async throws -> String {
        try checkRoom()
        var now = Date()
        // A start that failed, or one before a restore, may have made one in the same second.
        while FileManager.default.fileExists(atPath: path(at: now)) { now += 1 }
        let path = path(at: now)
        do {
            _ = try await endingOnSignal("the database was not migrated", hint: "It is as it was.") {
                try await store.backUp(to: path)
            }
        } catch let fault as BackupFault {
            throw CommandFailure(
                "the copy of the database that is kept before a migration was not made: \(fault)",
                hint: fault.hint ?? Self.without)
        }
        return path
    }

    private func path(at time: Date) -> String {
        let name = "\(beginning)\(ProgramVersion.current)-\(time.formatted(Self.time))\(ending)"
        return folder.appending(path: name).relativePath
    }

    /// Throws `CommandFailure` unless there is room for the copy, and for what migrations that make
    /// every table anew need meanwhile.
    func checkRoom() throws {
        let (needed, free) = (2 * bytes, Self.free(folder))
        guard let free, free < needed else { return }
        throw CommandFailure(
            "there is no room for the copy of the database that is kept before a migration: "
                + "\(Self.mebibytes(needed)) MiB are needed, \(Self.mebibytes(free)) MiB are free",
            hint: Self.without)
    }

    private static let without = "Make room; or back up to another disk, and start with --no-copy."

    /// Of the file and its log.
    private var bytes: Int {
        // The log is beside the file itself, where a link leads to it.
        let path = database.resolvingSymlinksInPath().path
        return ["", "-wal"].reduce(0) { $0 + (FileStatus(of: path + $1)?.size ?? 0) }
    }

    private static func free(_ folder: URL) -> Int? {
        let found = try? FileManager.default.attributesOfFileSystem(forPath: folder.path)
        return (found?[.systemFreeSize] as? NSNumber)?.intValue
    }

    private static func mebibytes(_ bytes: Int) -> Int { (bytes + 1 << 20 - 1) >> 20 }

    /// The copies that are there, the oldest first; not what an operator has named alike.
    var kept: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let copies = names.compactMap { name in time(of: name).map { (name, $0) } }
        return copies.sorted { $0.1 < $1.1 }.map { folder.appending(path: $0.0).relativePath }
    }

    /// When the copy of that name was made; nil for another file.
    private func time(of name: String) -> Date? {
        let time = name.after(beginning)?.before(ending)?.parts(by: "-").last.map(String.init) ?? ""
        return (try? Self.time.parse(time)).flatMap { $0.formatted(Self.time).isExactly(time) ? $0 : nil }
    }

    /// Deletes the copies that were kept before other versions: once this version has migrated,
    /// only its own are a way back.
    func deleteFormer() {
        let own = "\(beginning)\(ProgramVersion.current)-"
        for path in kept where !URL(filePath: path).lastPathComponent.begins(with: own) {
            Self.delete(path)
        }
    }

    static func delete(_ path: String) {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// `20261125T181000Z`
    private static let time = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)
}
