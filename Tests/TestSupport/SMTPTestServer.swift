import Foundation

/// The aiosmtpd server of `smtp_server.py`, running for one test.
package final class SMTPTestServer: Sendable {
    package struct Event: Decodable {
        package let kind: String
        package var port: Int?
        package var caFile: String?
        package var tls: Bool?
        package var ehlo: String?
        package var sender: String?
        package var recipients: [String]?
        package var smtputf8: Bool?
        package var message: String?
        package var sessions: Int?
    }

    struct NoPython: Error, CustomStringConvertible {
        let description = "no Python with aiosmtpd: set VESTIBULE_TEST_PYTHON or run scripts/setup"
    }

    struct DidNotStart: Error {}

    package let port: Int
    package let caFile: String
    private let process = Process()
    private let input = Pipe.alone()
    private let output = Pipe.alone()

    package convenience init(_ arguments: String...) async throws {
        try await self.init(arguments)
    }

    package init(_ arguments: [String]) async throws {
        process.executableURL = try Self.python()
        process.arguments = [Self.folder.appending(path: "smtp_server.py").path] + arguments
        process.standardInput = input
        process.standardOutput = output
        let ready = try await blocking { [process, output] in
            try process.runAlone()
            return try JSONDecoder().decode(Event.self, from: Self.line(output.fileHandleForReading))
        }
        guard let port = ready.port, let caFile = ready.caFile else { throw DidNotStart() }
        self.port = port
        self.caFile = caFile
    }

    /// Ends the server; everything it has been told.
    package func stop() async throws -> [Event] {
        try await blocking { [process, input, output] in
            try input.fileHandleForWriting.close()
            let lines = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return try lines.split(separator: UInt8(ascii: "\n")).map { try JSONDecoder().decode(Event.self, from: $0) }
        }
    }

    private static func line(_ output: FileHandle) throws -> Data {
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let piece = output.availableData
            guard !piece.isEmpty else { throw DidNotStart() }
            line += piece
        }
        return line
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    private static func python() throws -> URL {
        let ours = folder.appending(path: "../../.venv/bin/python").path
        let path = ProcessInfo.processInfo.environment["VESTIBULE_TEST_PYTHON"] ?? ours
        guard FileManager.default.isExecutableFile(atPath: path) else { throw NoPython() }
        return URL(filePath: path)
    }
}
