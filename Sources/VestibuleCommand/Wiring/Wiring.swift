import Essentials
import Foundation
import Logging
import Mailing
import Serving
import Vestibule
import VestibulePostgres
import VestibuleSQLite

/// Makes the real parts out of settings.
enum Wiring {
    /// Opens the store, and makes its file where there is none. Only this file names engines.
    static func store(_ url: DatabaseURL) throws -> any Store {
        switch url {
        case .sqlite(let path):
            do {
                return try SQLiteStore(path: path)
            } catch let fault as StoreUnavailable {
                throw CommandFailure(
                    "the database cannot be opened: \(fault)",
                    hint: fault.hint
                        ?? "Check VESTIBULE_DATABASE_URL, and who owns and may write the file, its -wal and -shm, and "
                        + "its folder. A service of systemd writes outside of its own folder only where "
                        + "ReadWritePaths= says so."
                )
            }
        case .postgres(let url): return try server(url)
        }
    }

    static func hasPassword(_ url: DatabaseURL) -> Bool {
        if case .postgres(let url) = url { url.hasPassword } else { false }
    }

    private static func server(_ url: PostgresURL) throws -> any Store {
        func failure(_ kind: CommandFailure.Kind, _ fault: StoreUnavailable) -> CommandFailure {
            CommandFailure(
                kind, "the database \(url.place) cannot be opened: \(fault)",
                hint: fault.hint
                    ?? """
                    Does the database server run, and take connections from this machine? See also user, password, \
                    servers, name, sslmode and sslrootcert in VESTIBULE_DATABASE_URL.
                    """)
        }
        let store: PostgresStore
        do {
            store = try PostgresStore(url)
        } catch let fault as StoreUnavailable {
            throw failure(.badConfiguration, fault)
        }
        do {
            try store.checkServer()
            return store
        } catch let fault as StoreUnavailable {
            try? store.close()
            throw failure(.failed, fault)
        }
    }

    /// The store of a database that is there already.
    static func existingStore(_ settings: Settings) throws -> any Store {
        try DatabaseMark(settings).checkFile()
        if let file = settings.databaseURL.file, !FileManager.default.fileExists(atPath: file) {
            throw CommandFailure(
                "there is no database \(file)",
                hint: "Start where the server starts, or set VESTIBULE_DATABASE_URL; `vestibule migrate` makes one."
            )
        }
        return try store(settings.databaseURL)
    }

    /// Throws `CommandFailure` when a folder above the file may not be entered.
    static func checkReach(_ path: String) throws {
        guard access(path, F_OK) != 0, errno == EACCES else { return }
        throw CommandFailure(
            "\(path) cannot be reached: this user may not enter a folder above it",
            hint: "Run this as the server's user, or see who owns the folder and may enter it.")
    }

    /// Works with the store and closes it, also when the work fails: what was deleted must not stay
    /// in its log.
    static func closing<Value>(_ store: any StoreLifecycle, _ work: () async throws -> Value) async throws -> Value {
        let value: Value
        do {
            value = try await work()
        } catch {
            try? store.close()
            throw error
        }
        try store.close()
        return value
    }

    static func mailTransport(_ settings: Settings) -> any MailTransport {
        switch settings.mailURL {
        case .outbox(let path): FileTransport(path: path)
        case .smtp(let server): SMTPTransport(server: server, sender: settings.mailFrom)
        }
    }

    /// Loads what mail servers, providers, webhooks and logout addresses are talked to with, where
    /// there are any.
    static func outboundLibrary(_ settings: Settings) throws {
        let hearsLogouts = settings.applications.contains { $0.client?.logoutURL != nil }
        if case .outbox = settings.mailURL, settings.providers.isEmpty, settings.webhooks.isEmpty, !hearsLogouts {
            return
        }
        guard CurlLibrary.isReady else {
            throw CommandFailure(
                "libcurl cannot be loaded",
                hint: "Install it (Debian: libcurl4); SMTP, providers, webhooks and logout addresses need it.")
        }
    }

    /// Where several nodes may write into one log, every line names its node.
    static func logger(_ settings: Settings, nodeName: String? = nil) -> Logger {
        var logger = Logger(label: "vestibule") { LineLogHandler(label: $0, format: settings.logFormat) }
        logger.logLevel = settings.logLevel
        if case .postgres = settings.databaseURL { logger[metadataKey: "node"] = nodeName.map { "\($0)" } }
        return logger
    }

    /// Refuses a language that no page or mail is written in.
    static func check(language: String) throws {
        let known = try resources().languages
        guard known.contains(language) else {
            throw CommandFailure("there is no language \(language)", hint: "One of: \(known.joined(separator: ", ")).")
        }
    }

    private static var executable: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    }

    /// The templates that are the operator's own. Throws `TemplateFault`.
    static func overriddenTemplates() throws -> OverriddenTemplates? {
        try resources().overriddenTemplates(executable: executable)
    }

    /// The resources installed with this program, whatever the working folder holds.
    static var installedResources: Resources? { Resources.installed(executable: executable) }

    static func resources() throws -> Resources {
        let found = Resources.find(
            executable: executable, workingDirectory: FileManager.default.currentDirectoryPath)
        guard let found else {
            throw CommandFailure(
                "Templates and Public were not found",
                hint: "Start where they are, or install them in share/vestibule."
            )
        }
        return found
    }

    /// Does `make` with the resources. A `TemplateFault` becomes a `CommandFailure` that says where
    /// they are.
    static func reading<Value>(_ resources: Resources, _ make: () throws -> Value) throws -> Value {
        do {
            return try make()
        } catch let fault as TemplateFault {
            throw CommandFailure(
                "\(fault)", hint: "Templates and Public are read from \(resources.places.joined(separator: " and ")).")
        }
    }
}

extension StoreUnavailable {
    /// What an operator does about it; nil where the cause is not known.
    var hint: String? {
        switch cause {
        case .fullDisk: "Make room on the disk of the database, or on that of temporary files."
        case .locked:
            "Another program holds a lock in the database, or the running server: try again, or end that program."
        case .damaged:
            "Where VESTIBULE_DATABASE_URL names the right file, restore a backup of it (docs/operating/backup.md)."
        case .noConnection:
            """
            Allow 10 connections for each node and one for each running command: on the server, for the role and in any \
            connection pooler.
            """
        case .encoding:
            """
            Make one with `createdb -E UTF8 -T template0` and the same owner, and restore a dump of this one into it \
            if it holds anything (docs/operating/cluster.md).
            """
        case .pooled: "Set it to pool_mode = session, or connect without a pooler (docs/operating/cluster.md)."
        case nil: nil
        }
    }
}
