import Foundation
import TestSupport
import Testing

/// Files and folders that nobody can write, not even root and not even when they are open already:
/// what a disk is like after Linux has made it read-only.
///
/// Not for `-shm`: a server that touches its memory of an immutable file is killed by SIGBUS once
/// the kernel has written that page back, which happens sooner on a busy machine. ext4 that has
/// become read-only after an error goes on taking what is written to mapped memory.
enum ReadOnly {
    /// `chattr +i` takes root with `CAP_LINUX_IMMUTABLE`, and a file system such as ext4, xfs or
    /// btrfs.
    static let isPossible: Bool = {
        let probe = FileManager.default.temporaryDirectory.appending(path: "vestibule-\(UUID().uuidString)").path
        guard FileManager.default.createFile(atPath: probe, contents: nil) else { return false }
        defer { try? FileManager.default.removeItem(atPath: probe) }
        return change("+i", [probe]) && change("-i", [probe])
    }()

    static let needs: Comment = "needs root, and a file system that knows chattr +i"

    /// Does something while the files are like that.
    static func during(_ files: [String], _ body: () async throws -> Void) async throws {
        try #require(change("+i", files))
        defer { _ = change("-i", files) }
        try await body()
    }

    private static func change(_ flag: String, _ files: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/chattr")
        process.arguments = [flag] + files
        process.standardError = FileHandle.nullDevice
        guard (try? process.runAlone()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
