import Foundation
import Synchronization

@testable import Essentials
@testable import Serving

/// `vestibule serve` on a port of its own, spoken to over real HTTP.
struct Server: Sendable {
    let port: Int
    private let leash: Leash
    private let ended: Task<Int32, Never>
    private let program: Program

    /// Starts and waits until it listens.
    init(_ program: Program, arguments: [String] = [], environment: [String: String] = [:]) async throws {
        let (process, _, errors) = program.prepare(["serve", "--port", "0"] + arguments, environment)
        let exits = try process.start()
        let leash = Leash()
        leash.pid.withLock { $0 = process.processIdentifier }
        self.leash = leash
        ended = Task { [weak leash] in
            let status = await exits.first { _ in true }
            leash?.pid.withLock { $0 = nil }
            return status ?? -1
        }
        var found: Int?
        for await line in Self.lines(of: errors) {
            if let match = line.firstMatch(of: /listening on [^ ]*:(\d+)/) { found = Int(match.output.1) }
            if found != nil { break }
        }
        guard let found else { throw NotListening() }
        port = found
        self.program = program
    }

    struct NotListening: Error {}

    /// Nil once it has ended.
    var processID: Int32? { leash.pid.withLock { $0 } }

    /// What came back.
    struct Answer {
        let status: Int
        let head: String
        let body: String

        /// `name=value` of a cookie that was set; empty when it was not.
        func cookie(_ name: String) -> String {
            head.range(of: "\\b\(name)=[^;\r]*", options: .regularExpression).map { String(head[$0]) } ?? ""
        }
    }

    /// One request; no redirect is followed.
    func send(
        _ path: String, form: String? = nil, cookie: String? = nil, agent: String? = nil, header: String? = nil,
        headers: [String] = [], host: String = "127.0.0.1"
    ) async throws -> Answer {
        var arguments = ["--silent", "--include", "--max-time", "100", "http://\(host):\(port)\(path)"]
        if let form { arguments += ["--data-raw", form] }
        if let cookie { arguments += ["--cookie", cookie] }
        for each in headers + [header].compactMap({ $0 }) { arguments += ["--header", each] }
        if let agent { arguments += ["--user-agent", agent] }
        return try await ask(arguments)
    }

    /// Asks again until the answer has that status; the suite's time limit ends it when that never
    /// happens.
    func until(_ status: Int, at path: String, cookie: String) async throws {
        while try await send(path, cookie: cookie).status != status {
            // What another process has changed is seen here a moment later, and nobody tells when.
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// One call of the JSON API.
    func call(_ method: String, _ path: String, _ json: String, token: String = "") async throws -> Answer {
        let url = "http://127.0.0.1:\(port)/api/auth/\(path)"
        let bearer = token.isEmpty ? [] : ["--header", "Authorization: Bearer \(token)"]
        return try await ask(
            ["--silent", "--include", "--max-time", "100", "--request", method, "--data-raw", json]
                + ["--header", "Content-Type: application/json", url] + bearer)
    }

    private func ask(_ arguments: [String]) async throws -> Answer {
        let outcome = try await program.run(arguments, of: "/usr/bin/curl")
        let answer = outcome.output
        guard let end = answer.range(of: "\r\n\r\n"), let status = Int(answer.dropFirst(9).prefix(3)) else {
            throw NoAnswer(
                url: arguments.first { $0.hasPrefix("http://") } ?? "", curl: outcome.status, output: answer,
                isServing: processID != nil)
        }
        return Answer(status: status, head: String(answer[..<end.lowerBound]), body: String(answer[end.upperBound...]))
    }

    /// What is known when curl got no answer: its exit status says why.
    struct NoAnswer: Error {
        let url: String
        let curl: Int32
        let output: String
        let isServing: Bool
    }

    /// Sends a signal and waits for the end; returns the exit status.
    func end(_ signal: Int32) async -> Int32 {
        leash.pull(signal)
        return await ended.value
    }

    /// What a process writes, line by line, until it ends.
    static func lines(of pipe: Pipe) -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream<String>.makeStream()
        let handle = pipe.fileHandleForReading
        Thread.detachNewThread {
            var rest = ""
            while true {
                let data = handle.availableData
                if data.isEmpty { break }
                rest += String(decoding: data, as: UTF8.self)
                var parts = rest.components(separatedBy: "\n")
                rest = parts.removeLast()
                parts.forEach { continuation.yield($0) }
            }
            try? handle.close()
            continuation.finish()
        }
        return stream
    }
}

/// Ends a server that its test has forgotten, or could not end because it failed.
private final class Leash: Sendable {
    let pid = Mutex<Int32?>(nil)

    func pull(_ signal: Int32) {
        pid.withLock { if let pid = $0 { kill(pid, signal) } }
    }

    deinit {
        pull(SIGKILL)
    }
}
