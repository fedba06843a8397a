import Foundation
import TestSupport
import Testing

@testable import Essentials

/// What `doctor` says of the folder it is run in.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct DoctorTests {
    @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
    func `root is told of a database and a key that the owner of the folder cannot open`() async throws {
        let program = try Program()
        try await program.settle()
        try FileManager.default.setAttributes(
            [.ownerAccountID: 4242, .groupOwnerAccountID: 4242], ofItemAtPath: program.folder + "/data")
        let found = try await program.run("doctor")
        #expect(found.status == 1)
        for file in ["secret.key", "vestibule.sqlite"] {
            let line = "FAIL file owners: data/\(file) belongs to another user than its folder"
            #expect(found.output.contains(line), "\(found.output)")
            #expect(found.output.contains("/data data/\(file)\n"), "\(found.output)")
            try FileManager.default.setAttributes(
                [.ownerAccountID: 4242], ofItemAtPath: program.folder + "/data/" + file)
        }
        let mended = try await program.run("doctor")
        #expect(mended.status == 0 && mended.output.contains("ok   file owners\n"), "\(mended.output)")
    }
}
