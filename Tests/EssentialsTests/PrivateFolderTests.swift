import Essentials
import Foundation
import Testing

struct PrivateFolderTests {
    @Test func `folders above are made, too, for their owner only, and an existing one is left`() throws {
        let base = try scratch()
        defer { try? FileManager.default.removeItem(atPath: base) }
        #expect(PrivateFolder.make("\(base)/a//b/"))
        #expect(try mode("\(base)/a") == 0o700)
        #expect(try mode("\(base)/a/b") == 0o700)
        #expect(chmod("\(base)/a", 0o750) == 0)
        #expect(PrivateFolder.make("\(base)/a/b"))
        #expect(try mode("\(base)/a") == 0o750)
    }

    @Test func `a file on the way is told`() throws {
        let base = try scratch()
        defer { try? FileManager.default.removeItem(atPath: base) }
        try Data().write(to: URL(filePath: "\(base)/file"))
        #expect(!PrivateFolder.make("\(base)/file/a"))
        #expect(errno == ENOTDIR)
    }

    private func scratch() throws -> String {
        let path = "\(NSTemporaryDirectory())/folders-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
}
