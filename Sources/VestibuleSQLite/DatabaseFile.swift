import Foundation
import Vestibule

/// The file behind the store, so that a missing or exchanged one is noticed: SQLite would go on writing to a file that
/// nobody can see any more.
struct DatabaseFile: Sendable {
    private let path: String
    private let inode: UInt64

    init(path: String) throws {
        self.path = path
        guard let inode = Self.inode(path) else { throw StoreUnavailable("\(path) is missing") }
        self.inode = inode
    }

    /// Throws `StoreUnavailable` when the path does not lead to the file that was opened.
    func check() throws {
        guard let found = Self.inode(path) else { throw StoreUnavailable("\(path) is missing") }
        guard found == inode else {
            throw StoreUnavailable("\(path) was replaced while open; restart to use the new one")
        }
    }

    /// Makes folder and empty file with modes that keep others out.
    static func make(_ path: String) throws {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        if !FileManager.default.fileExists(atPath: folder) {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
            )
        }
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(
                atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]
            )
        }
    }

    private static func inode(_ path: String) -> UInt64? {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
    }
}
