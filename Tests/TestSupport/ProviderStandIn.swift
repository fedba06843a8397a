import Crypto
package import Foundation
import Synchronization

/// The stand-in of `Tests/StandIns/apple.py`, running for one test: Apple, or any OpenID provider
/// called "Example".
package final class ProviderStandIn: Sendable {
    struct NoPython: Error, CustomStringConvertible {
        let description = "no Python with cryptography: set VESTIBULE_TEST_PYTHON or run scripts/setup"
    }

    struct DidNotAnswer: Error {}

    package let base: String
    private let folder: URL
    private let process: Process
    private let input: FileHandle
    private let output: FileHandle
    private let talking = Mutex(())

    /// The one that most tests share: it keeps nothing that they could tell apart.
    package static let shared = Task { try await start() }

    /// One of a test's own, to rotate its keys or to look at what it was asked.
    package static func start() async throws -> ProviderStandIn {
        try await blocking { try ProviderStandIn() }
    }

    private init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "stand-in-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let key = P256.Signing.PrivateKey()
        try Data(key.pemRepresentation.utf8).write(to: folder.appending(path: "key.p8"))
        try Data(key.publicKey.pemRepresentation.utf8).write(to: folder.appending(path: "key.pub"))
        let (toProcess, fromProcess) = (Pipe.alone(), Pipe.alone())
        process = Process()
        process.executableURL = try Self.python()
        process.arguments = [Self.script.path, "--public-key", folder.appending(path: "key.pub").path]
        process.standardInput = toProcess
        process.standardOutput = fromProcess
        try process.runAlone()
        input = toProcess.fileHandleForWriting
        output = fromProcess.fileHandleForReading
        base = try Self.line(output)["base"] as? String ?? ""
    }

    deinit {
        process.terminate()
    }

    /// Settings that make it Apple.
    package var appleSettings: [String: String] {
        [
            "VESTIBULE_APPLE_CLIENT_ID": "web.client", "VESTIBULE_APPLE_TEAM_ID": "TEAM123456",
            "VESTIBULE_APPLE_KEY_ID": "KEY1234567", "VESTIBULE_APPLE_BASE_URL": base,
            "VESTIBULE_APPLE_PRIVATE_KEY_FILE": folder.appending(path: "key.p8").path,
            "VESTIBULE_APPLE_APP_IDS": "com.example.app",
        ]
    }

    /// Settings that make it any provider.
    package var example: [String: String] {
        [
            "VESTIBULE_OIDC_EXAMPLE_ISSUER": base, "VESTIBULE_OIDC_EXAMPLE_CLIENT_ID": "web.client",
            "VESTIBULE_OIDC_EXAMPLE_CLIENT_SECRET": "hush & quiet",
        ]
    }

    /// What an app gets from Apple for a nonce.
    package func appToken(
        _ nonce: String?, for email: String = "ada@example.com", subject: String = "001234.native",
        aud: any Sendable = "com.example.app", azp: String? = nil, verified: Bool = true, lie: String? = nil,
        now: Date = Date()
    ) async throws -> String {
        let now = Int(now.timeIntervalSince1970)
        var claims: [String: any Sendable] = [
            "iss": base, "aud": aud, "sub": subject, "nonce_supported": nonce != nil, "iat": now, "exp": now + 600,
            "email": email, "email_verified": verified ? "true" : "false",
        ]
        claims["nonce"] = nonce
        claims["azp"] = azp
        var command: [String: any Sendable] = ["sign": claims]
        command["lie"] = lie
        return try await tell(command)["token"] as? String ?? ""
    }

    /// Says a line of JSON, and hears one.
    @discardableResult
    package func tell(_ command: [String: any Sendable]) async throws -> [String: any Sendable] {
        let line = try JSONSerialization.data(withJSONObject: command) + Data("\n".utf8)
        return try await blocking { [self] in
            // Tests of several suites speak to the shared one at once.
            try talking.withLock { _ in
                try input.write(contentsOf: line)
                return try Self.line(output)
            }
        }
    }

    private static func line(_ output: FileHandle) throws -> [String: any Sendable] {
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            guard let byte = try output.read(upToCount: 1), !byte.isEmpty else { throw DidNotAnswer() }
            line += byte
        }
        return try JSONSerialization.jsonObject(with: line) as? [String: any Sendable] ?? [:]
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    private static let script = root.appending(path: "Tests/StandIns/apple.py")

    private static func python() throws -> URL {
        let ours = root.appending(path: ".venv/bin/python").path
        let path = ProcessInfo.processInfo.environment["VESTIBULE_TEST_PYTHON"] ?? ours
        guard FileManager.default.isExecutableFile(atPath: path) else { throw NoPython() }
        return URL(filePath: path)
    }
}
