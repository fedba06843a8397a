import Foundation
import VestibuleClient

/// A real server on a free port, in a folder of its own.
final class ServerHouse: House {
    /// For all tests that are not about limits.
    static let sharing = Task { try await ServerHouse() }
    static var shared: ServerHouse {
        get async throws { try await sharing.value }
    }

    let url: URL
    private let folder: URL
    /// The server ends when this is closed, at the latest with the tests.
    private let leash = Pipe()
    private let process = Process()

    /// Starts one and waits until it is well; in the folder of an earlier one, if there is one.
    init(_ settings: [String: String] = [:], in earlier: URL? = nil) async throws {
        folder = earlier ?? FileManager.default.temporaryDirectory.appending(path: "client-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let port = Int.random(in: 10_000..<32_000)
        guard let url = URL(string: "http://localhost:\(port)") else { throw Unexpected(port) }
        self.url = url
        let log = folder.appending(path: "server.log")
        try Data().write(to: log)
        try start(port, settings, try FileHandle(forWritingTo: log))
        try await eventually("a healthy server: \(log.path)") { try? await app().site() }
    }

    private func start(_ port: Int, _ settings: [String: String], _ log: FileHandle) throws {
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            "-c", "\"$0\" serve --port \(port) & cat; kill $!; wait", Self.executable.path,
        ]
        process.currentDirectoryURL = folder
        let limits = ["LOGIN", "SIGNUP", "RESET", "VERIFY", "MAIL"].map { ("VESTIBULE_LIMIT_\($0)", "off") }
        process.environment = [
            "PATH": "/usr/bin:/bin", "VESTIBULE_ARGON2_MEMORY_KIB": "64", "VESTIBULE_ARGON2_ITERATIONS": "1",
        ].merging(limits) { $1 }.merging(settings) { $1 }
        (process.standardInput, process.standardOutput, process.standardError) = (leash, log, log)
        try process.run()
    }

    /// Ends it, and starts it with other settings.
    func restarted(_ settings: [String: String]) async throws -> ServerHouse {
        try leash.fileHandleForWriting.close()
        try await eventually("the end of the server") { process.isRunning ? nil : true }
        return try await ServerHouse(settings, in: folder)
    }

    deinit {
        try? leash.fileHandleForWriting.close()
    }

    func app() -> any AuthService { client() }

    func client(_ store: any TokenStore = MemoryTokenStore()) -> AuthClient {
        AuthClient(server: url, store: Lodger(store: store, house: self), userAgent: "Acme/1.2")
    }

    func code(mailedTo email: String, number: Int) async throws -> Secret {
        try await eventually("code \(number) for \(email)") {
            let codes = try codes(mailedTo: email)
            return codes.count < number ? nil : codes[number - 1]
        }
    }

    func appCode(_ setup: AuthenticatorSetup, later steps: Int) throws -> Secret {
        try totp(setup.key, at: Date() + Double(30 * steps))
    }

    /// In the subjects of the mails to an address, oldest first.
    private func codes(mailedTo email: String) throws -> [Secret] {
        let outbox = folder.appending(path: "data/mail")
        let files = (try? FileManager.default.contentsOfDirectory(atPath: outbox.path)) ?? []
        return try files.sorted().filter { $0.hasSuffix(".eml") }.compactMap { name in
            let mail = try String(contentsOf: outbox.appending(path: name), encoding: .utf8)
            guard mail.contains("To: \(email)") || mail.contains("<\(email)>") else { return nil }
            return mail.firstMatch(of: #/Subject: (\d{6}) /#).map { Secret(String($0.1)) }
        }
    }

    /// Beside the test bundle, or where `swift build` puts it.
    private static var executable: URL {
        let beside = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "vestibule")
        guard !FileManager.default.isExecutableFile(atPath: beside.path) else { return beside }
        return (1...4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
            .appending(path: ".build/debug/vestibule")
    }
}

/// Keeps the server alive as long as somebody is its client.
private struct Lodger: TokenStore {
    let store: any TokenStore
    let house: ServerHouse

    func load() throws -> Secret? { try store.load() }

    func keep(_ token: Secret?) throws { try store.keep(token) }
}

/// What the probe returns as soon as it is something. Throws after a minute.
@discardableResult
func eventually<Value>(
    _ what: String, isolation: isolated (any Actor)? = #isolation, _ probe: () async throws -> Value?
) async throws -> Value {
    let end = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < end {
        if let found = try await probe() { return found }
        // Files and other processes do not tell when they change.
        try await Task.sleep(for: .milliseconds(20))
    }
    throw Unexpected("not within a minute: \(what)")
}
