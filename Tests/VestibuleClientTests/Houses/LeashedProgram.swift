import Foundation
import TestSupport

/// A program that ends when this does, at the latest with the tests.
final class LeashedProgram: Sendable {
    private let leash = Pipe.alone()
    private let process = Process()

    /// Starts it; what it says goes to a file `NAME.log` in the folder.
    init(_ program: URL, _ arguments: [String], in folder: URL, environment: [String: String]) throws {
        let log = folder.appending(path: "\(program.lastPathComponent).log")
        try Data().write(to: log)
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", #""$0" "$@" & cat; kill $!; wait"#, program.path] + arguments
        process.currentDirectoryURL = folder
        process.environment = environment.merging(["PATH": "/usr/bin:/bin", "HOME": folder.path]) { $1 }
        let output = try FileHandle(forWritingTo: log)
        (process.standardInput, process.standardOutput, process.standardError) = (leash, output, output)
        try process.runAlone()
    }

    /// Ends it, and waits until it has ended.
    func end() async throws {
        try leash.fileHandleForWriting.close()
        try await eventually("the end of a program") { process.isRunning ? nil : true }
    }

    deinit {
        try? leash.fileHandleForWriting.close()
    }
}
