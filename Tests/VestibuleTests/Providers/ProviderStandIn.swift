import Crypto
import Foundation
import Synchronization
import TestSupport

@testable import Essentials
@testable import Vestibule

/// The stand-in of `Tests/StandIns/apple.py`, running for one test: Apple, or any OpenID provider
/// called "Example".
final class ProviderStandIn: Sendable {
    struct NoPython: Error, CustomStringConvertible {
        let description = "no Python with cryptography: set VESTIBULE_TEST_PYTHON or run scripts/setup"
    }

    struct DidNotAnswer: Error {}

    /// What a code comes to: a person, and at times a lie.
    struct Person: Codable {
        var sub = "001234.abcdef"
        var email: String? = "ada@example.com"
        var nonce: String?
        var challenge: String?
        var lie: String?
        var size: Int?
        /// How far the provider's clock is ahead, in seconds: tests turn ours.
        var ahead: Int?
        /// Whether the code was given to the app.
        var app: Bool?
        /// Makes codes of the same person differ.
        var salt = UUID().uuidString
    }

    let base: String
    let folder: URL
    private let process: Process
    private let input: FileHandle
    private let output: FileHandle
    private let talking = Mutex(())

    /// The one that most tests share: it keeps nothing that they could tell apart.
    static let shared = Task { try await start() }

    /// One of a test's own, to rotate its keys or to look at what it was asked.
    static func start() async throws -> ProviderStandIn {
        try await blocking { try ProviderStandIn() }
    }

    private init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "stand-in-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let key = P256.Signing.PrivateKey()
        try Data(key.pemRepresentation.utf8).write(to: folder.appending(path: "key.p8"))
        try Data(key.publicKey.pemRepresentation.utf8).write(to: folder.appending(path: "key.pub"))
        let (toProcess, fromProcess) = (Pipe(), Pipe())
        process = Process()
        process.executableURL = try Self.python()
        process.arguments = [Self.script.path, "--public-key", folder.appending(path: "key.pub").path]
        process.standardInput = toProcess
        process.standardOutput = fromProcess
        try process.run()
        input = toProcess.fileHandleForWriting
        output = fromProcess.fileHandleForReading
        base = try Self.line(output)["base"] as? String ?? ""
    }

    deinit {
        process.terminate()
    }

    /// Settings that make it Apple.
    var apple: [Setting: String] {
        [
            .appleClientID: "web.client", .appleTeamID: "TEAM123456", .appleKeyID: "KEY1234567",
            .applePrivateKeyFile: folder.appending(path: "key.p8").path, .appleBaseURL: base,
            .appleAppIDs: "com.example.app",
        ]
    }

    /// Settings that make it any provider.
    var example: [String: String] {
        [
            "VESTIBULE_OIDC_EXAMPLE_ISSUER": base, "VESTIBULE_OIDC_EXAMPLE_CLIENT_ID": "web.client",
            "VESTIBULE_OIDC_EXAMPLE_CLIENT_SECRET": "hush & quiet",
        ]
    }

    /// Says a line of JSON, and hears one.
    @discardableResult
    func tell(_ command: [String: any Sendable]) async throws -> [String: any Sendable] {
        let line = try JSONSerialization.data(withJSONObject: command) + Data("\n".utf8)
        return try await blocking { [self] in
            // Tests of several suites speak to the shared one at once.
            try talking.withLock { _ in
                try input.write(contentsOf: line)
                return try Self.line(output)
            }
        }
    }

    /// The paths it was called at by POST, and the tokens it was shown.
    func record() async throws -> [[String: String]] {
        try await tell(["record": true])["record"] as? [[String: String]] ?? []
    }

    static func code(_ person: Person) throws -> String {
        Base64URL.encode([UInt8](try JSONEncoder().encode(person)))
    }

    private static func line(_ output: FileHandle) throws -> [String: any Sendable] {
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            guard let byte = try output.read(upToCount: 1), !byte.isEmpty else { throw DidNotAnswer() }
            line += byte
        }
        return try JSONSerialization.jsonObject(with: line) as? [String: any Sendable] ?? [:]
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    private static let script = root.appending(path: "Tests/StandIns/apple.py")

    private static func python() throws -> URL {
        let ours = root.appending(path: ".venv/bin/python").path
        let path = ProcessInfo.processInfo.environment["VESTIBULE_TEST_PYTHON"] ?? ours
        guard FileManager.default.isExecutableFile(atPath: path) else { throw NoPython() }
        return URL(filePath: path)
    }
}
