import Foundation
import Synchronization

/// The server of `postgres_server.py`: one for the whole test process, which it ends with, and
/// those of tests that change its settings.
package final class PostgresServer: Sendable {
    private struct Place: Decodable {
        let socket: String
        let port: Int
        let user: String
    }

    private struct Answer: Decodable {
        let fault: String
    }

    package struct Fault: Error, CustomStringConvertible {
        package let description: String
    }

    /// Started when first asked for.
    package static let shared = Task { try await blocking { try PostgresServer() } }

    private let place: Place
    private let process = Process()
    private let conversation: Mutex<Conversation>
    private let made = Atomic(0)

    /// Waits until it takes connections. Settings are `name=value`.
    package init(settings: [String] = []) throws {
        let (input, output, complaints) = (Pipe.alone(), Pipe.alone(), Pipe.alone())
        process.executableURL = URL(filePath: "/usr/bin/env")
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "postgres_server.py")
        process.arguments = ["python3", script.path] + settings
        process.standardInput = input
        process.standardOutput = output
        process.standardError = complaints
        try process.runAlone()
        let conversation = Conversation(
            input: input.fileHandleForWriting, output: output.fileHandleForReading,
            complaints: complaints.fileHandleForReading)
        place = try conversation.answer()
        self.conversation = Mutex(conversation)
    }

    /// A new database, empty or a copy; returns its name. With an encoding it is an empty one.
    package func makeDatabase(copying template: String? = nil, encoding: String? = nil) async throws -> String {
        let name = "test\(made.add(1, ordering: .relaxed).newValue)"
        let kind = encoding.map { "template0 \($0)" } ?? template ?? ""
        let answer: Answer = try await blocking { [self] in
            try conversation.withLock { try $0.ask("database \(name) \(kind)") }
        }
        guard answer.fault.isEmpty else { throw Fault(description: answer.fault) }
        return name
    }

    /// The address of a database in libpq's syntax.
    package func url(of database: String) -> String {
        "postgres://\(place.user)@/\(database)?host=\(place.socket)&port=\(place.port)"
    }
}

/// A line, and a line back.
private struct Conversation: Sendable {
    let input: FileHandle
    let output: FileHandle
    let complaints: FileHandle

    func ask<Answer: Decodable>(_ question: String) throws -> Answer {
        try input.write(contentsOf: Data("\(question)\n".utf8))
        return try answer()
    }

    func answer<Answer: Decodable>() throws -> Answer {
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let piece = output.availableData
            guard !piece.isEmpty else { throw try fault() }
            line += piece
        }
        return try JSONDecoder().decode(Answer.self, from: line)
    }

    /// What the script said before it ended.
    private func fault() throws -> PostgresServer.Fault {
        let said = try complaints.readToEnd() ?? Data()
        return PostgresServer.Fault(description: "no PostgreSQL server: \(String(decoding: said, as: UTF8.self))")
    }
}
