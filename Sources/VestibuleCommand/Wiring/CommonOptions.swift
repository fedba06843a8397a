import ArgumentParser
import Foundation
import Vestibule

/// Flags every command takes; they win over environment and `.env`.
struct CommonOptions: ParsableArguments {
    @Option(help: "Address to listen on (VESTIBULE_HOST).")
    var host: String?

    @Option(help: "Port to listen on (VESTIBULE_PORT).")
    var port: String?

    /// Reads all settings. Throws `CommandFailure` with exit code 78.
    func settings() throws -> Settings {
        var flags: [Setting: String] = [:]
        flags[.host] = host
        flags[.port] = port
        let environment = ProcessInfo.processInfo.environment
        do {
            return try SettingsSources.read(
                flags: flags, environment: environment, environmentFile: environmentFile(),
                keyFile: FileManager.default.fileExists(atPath: Wiring.keyFile) ? Wiring.keyFile : nil)
        } catch let faults as SettingFaults {
            throw CommandFailure(.badConfiguration, all: faults.all.map { (error: "\($0)", hint: $0.hint) })
        }
    }

    static var hasEnvironmentFile: Bool { FileManager.default.fileExists(atPath: ".env") }

    /// Nil where there is none. A link that leads to no file is not taken for none: without the
    /// settings that it stands for, the server would start in development.
    private func environmentFile() throws -> String? {
        let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: ".env")) != nil
        guard isLink || Self.hasEnvironmentFile else { return nil }
        guard access(".env", R_OK) == 0 else {
            let isMissing = [ENOENT, ENOTDIR, ELOOP].contains(errno)
            throw CommandFailure(
                .badConfiguration,
                isMissing ? ".env is a link that leads to no file" : ".env cannot be read: this user may not",
                hint: isMissing
                    ? "Restore the file, or remove the link." : "Run this as the server's user, or see who owns it.")
        }
        guard let text = try? String(contentsOfFile: ".env", encoding: .utf8) else {
            throw CommandFailure(.badConfiguration, ".env cannot be read", hint: "It must be a file of UTF-8 text.")
        }
        return text
    }
}
