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
            return try SettingsSources.read(flags: flags, environment: environment, environmentFile: environmentFile())
        } catch let faults as SettingFaults {
            throw CommandFailure(.badConfiguration, all: faults.all.map { (error: "\($0)", hint: $0.hint) })
        }
    }

    static var hasEnvironmentFile: Bool { FileManager.default.fileExists(atPath: ".env") }

    private func environmentFile() throws -> String? {
        guard Self.hasEnvironmentFile else { return nil }
        guard let text = try? String(contentsOfFile: ".env", encoding: .utf8) else {
            throw CommandFailure(
                .badConfiguration, ".env cannot be read", hint: "It must be UTF-8 text this user may read.")
        }
        return text
    }
}
