import Crypto
import Essentials
import Foundation
import Logging
import Mailing
import Serving
import Vestibule
import VestibuleSQLite

/// Makes the real parts out of settings.
enum Wiring {
    static let keyFile = "data/secret.key"

    static func store(_ settings: Settings) throws -> SQLiteStore {
        guard case .sqlite(let path) = settings.databaseURL else {
            throw CommandFailure(.badConfiguration, "no such store", hint: "VESTIBULE_DATABASE_URL is sqlite:FILE.")
        }
        do {
            return try SQLiteStore(path: path)
        } catch let fault as StoreUnavailable {
            throw CommandFailure(
                .failed, "the database cannot be opened: \(fault)",
                hint: "See VESTIBULE_DATABASE_URL and the file's modes."
            )
        }
    }

    /// The store of a database that is there already.
    static func existingStore(_ settings: Settings) throws -> SQLiteStore {
        if case .sqlite(let path) = settings.databaseURL, !FileManager.default.fileExists(atPath: path) {
            throw CommandFailure(
                .failed, "there is no database \(path)",
                hint: "Start where the server starts, or set VESTIBULE_DATABASE_URL; `vestibule migrate` makes one."
            )
        }
        return try store(settings)
    }

    /// Works with the store and closes it, also when the work fails: what was deleted must not stay in its log.
    static func closing<Value>(_ store: SQLiteStore, _ work: () async throws -> Value) async throws -> Value {
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

    /// Loads what mail servers and providers are talked to with, for settings that name one.
    static func outboundLibrary(_ settings: Settings) throws {
        if case .outbox = settings.mailURL, settings.providers.isEmpty { return }
        guard CurlLibrary.isReady else {
            throw CommandFailure(
                .failed, "libcurl cannot be loaded", hint: "Install it (Debian: libcurl4); SMTP and providers need it.")
        }
    }

    /// The key of the settings; in development one is made in `data/secret.key` and kept.
    static func secretKey(_ settings: Settings) throws -> SecretKey {
        if let key = settings.secretKey { return key }
        let file = keyFile
        if !FileManager.default.fileExists(atPath: file) { try makeKey(file) }
        guard let text = try? String(contentsOfFile: file, encoding: .utf8),
            let key = SecretKey.symmetricKey(base64: text)
        else {
            throw CommandFailure(
                .badConfiguration, "data/secret.key is not 32 bytes of base64",
                hint: "Restore the file, or set VESTIBULE_SECRET_KEY."
            )
        }
        return SecretKey(current: key)
    }

    /// The key of the settings, or the one made before: with a new one, nothing could be opened that waits.
    static func existingSecretKey(_ settings: Settings) throws -> SecretKey {
        guard settings.secretKey != nil || FileManager.default.fileExists(atPath: keyFile) else {
            throw CommandFailure(
                .badConfiguration, "there is no secret key",
                hint: "Start the server once, which makes one, and work in its folder; or set VESTIBULE_SECRET_KEY."
            )
        }
        return try secretKey(settings)
    }

    private static func makeKey(_ file: String) throws {
        let text = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0).base64EncodedString() } + "\n"
        do {
            try FileManager.default.createDirectory(
                atPath: "data", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw CommandFailure(
                .failed, "the folder data cannot be made", hint: "Start in a folder this user may write to.")
        }
        // Nobody else's from its first moment on, and whole or not there at all.
        let draft = "\(file).part"
        let handle = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        do {
            guard handle >= 0 else { throw CocoaError(.fileWriteUnknown) }
            let key = FileHandle(fileDescriptor: handle, closeOnDealloc: true)
            try key.write(contentsOf: Data(text.utf8))
            try key.synchronize()
            guard rename(draft, file) == 0 else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            throw CommandFailure(
                .failed, "\(file) cannot be written", hint: "Start in a folder this user may write to.")
        }
    }

    static func logger(_ settings: Settings) -> Logger {
        var logger =
            switch settings.logFormat {
            case .text: Logger(label: "vestibule") { TextLogHandler(label: $0) }
            case .json: Logger(label: "vestibule") { JSONLogHandler(label: $0) }
            }
        logger.logLevel = settings.logLevel
        return logger
    }

    /// Refuses a language that no page or mail is written in.
    static func check(language: String) throws {
        let known = try resources().languages
        guard known.contains(language) else {
            throw CommandFailure(
                .failed, "there is no language \(language)", hint: "One of: \(known.joined(separator: ", ")).")
        }
    }

    static func resources() throws -> Resources {
        let found = Resources.find(
            executable: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "",
            workingDirectory: FileManager.default.currentDirectoryPath
        )
        guard let found else {
            throw CommandFailure(
                .failed, "Templates and Public were not found",
                hint: "Start where they are, or install them in share/vestibule."
            )
        }
        return found
    }
}
