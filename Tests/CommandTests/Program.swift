import Foundation
import TestSupport

/// The built program, run in a folder of its own.
struct Program: Sendable {
    let folder: String

    /// Hashes are quick, as doctor makes several to tell their time.
    private static let surroundings = [
        "PATH": "/usr/bin:/bin", "VESTIBULE_ARGON2_MEMORY_KIB": "64", "VESTIBULE_ARGON2_ITERATIONS": "1",
    ]

    /// What a finished run left.
    struct Outcome {
        let status: Int32
        let output: String
        let errors: String
    }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "vestibule-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    /// Runs to the end.
    func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> Outcome {
        try await run(arguments, environment: environment)
    }

    /// Runs it, or another program, to the end.
    func run(
        _ arguments: [String], of executable: String = BuiltProgram.executable.path, environment: [String: String] = [:]
    ) async throws -> Outcome {
        let (process, output, errors) = prepare(arguments, environment)
        process.executableURL = URL(filePath: executable)
        let ended = try process.start()
        async let out = Self.text(output)
        async let err = Self.text(errors)
        let status = await ended.first { _ in true } ?? -1
        return Outcome(status: status, output: await out, errors: await err)
    }

    /// The same as a user whom file modes and low ports hold back: root is started without the
    /// right to pass over them.
    func runHeldBack(_ arguments: String..., environment: [String: String] = [:]) async throws -> Outcome {
        try await runHeldBack(arguments, environment: environment)
    }

    func runHeldBack(_ arguments: [String], environment: [String: String] = [:]) async throws -> Outcome {
        guard geteuid() == 0 else { return try await run(arguments, environment: environment) }
        let held = ["--bounding-set=-dac_override,-dac_read_search,-net_bind_service", BuiltProgram.executable.path]
        return try await run(held + arguments, of: "/usr/bin/setpriv", environment: environment)
    }

    /// Changes the mode of a file or folder in the folder.
    func chmod(_ mode: Int, _ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(folder)/\(path)")
    }

    /// Gives a file or folder in the folder to that user, or to one that no name is known of. The
    /// folder of all tests may be entered from then on.
    func give(_ path: String, to user: Int = 4242) throws {
        let tests = FileManager.default.temporaryDirectory.path
        let mode = try FileManager.default.attributesOfItem(atPath: tests)[.posixPermissions] as? Int ?? 0
        try FileManager.default.setAttributes([.posixPermissions: mode | 0o111], ofItemAtPath: tests)
        try FileManager.default.setAttributes(
            [.ownerAccountID: user, .groupOwnerAccountID: user], ofItemAtPath: "\(folder)/\(path)")
    }

    /// Makes a file in the folder, and the folders above it.
    func write(_ text: String, to path: String) throws {
        let file = URL(filePath: folder).appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// Makes a symbolic link in the folder.
    func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder)/\(path)", withDestinationPath: target)
    }

    func prepare(_ arguments: [String], _ environment: [String: String]) -> (Process, Pipe, Pipe) {
        let process = Process()
        process.executableURL = BuiltProgram.executable
        process.currentDirectoryURL = URL(filePath: folder)
        process.arguments = arguments
        // What ThreadSanitizer needs to know of Swift's locks (scripts/tsan).
        let preloaded = ProcessInfo.processInfo.environment.filter { $0.key == "LD_PRELOAD" }
        // Somebody may serve here, on the port that is the default.
        let port = arguments.contains("serve") ? ["VESTIBULE_PORT": "0"] : [:]
        process.environment = Self.surroundings.merging(port) { $1 }.merging(preloaded) { $1 }
            .merging(environment) { $1 }
        let (output, errors) = (Pipe.alone(), Pipe.alone())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        return (process, output, errors)
    }

    private static func text(_ pipe: Pipe) async -> String {
        await withCheckedContinuation { continuation in
            let handle = pipe.fileHandleForReading
            Thread.detachNewThread {
                let text = String(decoding: handle.readDataToEndOfFile(), as: UTF8.self)
                // Foundation keeps it open, and waits with select, which knows 1,024 files, for
                // processes to end.
                try? handle.close()
                continuation.resume(returning: text)
            }
        }
    }
}
