import ArgumentParser
import Foundation
import Synchronization
import Vestibule

/// `vestibule copy`
struct Copy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy everything into a database that is empty, of either engine.",
        discussion: """
            FROM and TO are written as VESTIBULE_DATABASE_URL is, but without a password, which every user of this \
            machine would see: libpq reads it from ~/.pgpass, a file that passfile=FILE names, or PGPASSWORD. The copy is of one moment, so stop the servers first: what \
            they write later is not in it. Each row is read again from TO and compared before it is kept; when \
            something fails, TO stays empty. The secret key is not in it: the servers of TO need the same one.
            """
    )

    @Argument(help: "The database to copy: sqlite:FILE or postgres://…")
    var from: String

    @Argument(help: "An empty database, which is brought up to date first.")
    var to: String

    @Flag(help: "One JSON object a table instead of text.")
    var json = false

    @Flag(help: "Copy although a server works with FROM: what it writes later is not in the copy.")
    var whileServed = false

    func run() async throws {
        let (from, to) = (try Self.url(from, "FROM"), try Self.url(to, "TO"))
        guard from != to else {
            throw CommandFailure(.badUsage, "FROM and TO are the same database", hint: "Name another one as TO.")
        }
        let source = try Self.source(from)
        try await Wiring.closing(source) {
            if !whileServed { try await Self.refuseServed(source) }
            let target = try Wiring.store(to)
            try await Wiring.closing(target) {
                try Self.migrate(target)
                var listing = Listing<StoreCopy.Report>(json: json)
                try await listing.add(copy(source, target))
            }
        }
    }

    private static func url(_ text: String, _ name: String) throws -> DatabaseURL {
        guard let url = DatabaseURL(text) else {
            throw CommandFailure(
                .badUsage, "\(name) is not a database this build can open", hint: "sqlite:FILE or postgres://…")
        }
        guard !Wiring.hasPassword(url) else {
            throw CommandFailure(
                .badUsage, "\(name) shows its password to everybody on this machine",
                hint: "Leave it out, and put it into ~/.pgpass, a file that ?passfile=FILE names, or PGPASSWORD.")
        }
        return url
    }

    /// Opens a database that exists and has the schema of this version.
    private static func source(_ url: DatabaseURL) throws -> any Store {
        if let file = url.file, !FileManager.default.fileExists(atPath: file) {
            throw CommandFailure("there is no database \(file)", hint: "Name the one that was served.")
        }
        let store = try Wiring.store(url)
        guard try store.schemaAge() == .current else {
            try? store.close()
            throw CommandFailure(
                "FROM has the tables of another version",
                hint: "Run `vestibule migrate` on it with this version, or use the version that wrote it.")
        }
        return store
    }

    private static func refuseServed(_ source: any NodeStore) async throws {
        let now = Date()
        guard let record = try await source.nodes().first(where: { $0.isServing(at: now) }) else { return }
        throw CommandFailure(
            "\(record.node.name) works with FROM, and what it writes later would not be in the copy",
            hint: "Stop it, or copy with --while-served. A server that was killed, or that was serving when FROM was "
                + "backed up, counts as running for 90 s.")
    }

    private static func migrate(_ target: any Store) throws {
        do {
            _ = try target.migrate()
        } catch {
            throw CommandFailure(
                "TO cannot be brought up to date: \(error)", hint: "Name an empty database of your own.")
        }
    }

    private func copy(_ source: any Store, _ target: any Store) async throws -> [StoreCopy.Report] {
        let bar = Mutex(ProgressBar())
        defer { bar.withLock { $0.clear() } }
        do {
            return try await endingOnSignal("nothing was copied", hint: "TO is as it was.") {
                try await StoreCopy(from: source, to: target).run { done in bar.withLock { Self.draw(done, &$0) } }
            }
        } catch  where error is StoreCopy.Fault || error is StoreUnavailable {
            // With a server, the answer to the last statement may be lost.
            throw CommandFailure(
                error is StoreCopy.Fault ? "nothing was copied: \(error)" : "the copy failed: \(error)",
                hint: error is StoreCopy.Fault
                    ? "TO is as it was."
                    : "TO is as it was; a server may have all of it, if the connection was lost at the end.")
        }
    }

    private static func draw(_ done: StoreCopy.Progress, _ bar: inout ProgressBar) {
        let share = Double(done.copied + done.checked) / Double(max(1, 2 * done.total))
        bar.draw(share, "\(done.copied) rows copied, \(done.checked) checked, of \(done.total)")
    }
}

extension StoreCopy.Report: Listed {
    static let columns: [Column<Self>] = [
        Column("TABLE", "table") { $0.table }, Column("ROWS", "rows") { $0.rows },
        Column("SHA-256", "digest") { $0.digest },
    ]
}
