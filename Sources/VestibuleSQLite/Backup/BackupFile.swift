import Essentials
import Foundation
import Vestibule

/// A file that has another name in the same folder until it is whole.
struct BackupFile {
    let path: String
    let draft: String
    /// What SQLite names files that belong to a database.
    private static let reserved = ["-journal", "-wal", "-shm"]

    /// Makes the draft (0600). Refuses a path where something is already, and one that would belong
    /// to a database.
    init(path: String) throws {
        let file = URL(filePath: path)
        self.path = path
        draft =
            file.deletingLastPathComponent()
            .appending(path: ".\(file.lastPathComponent).\(UInt64.random(in: 0...(.max))).part").path
        guard access(path, F_OK) != 0 else { throw Self.exists(path) }
        for suffix in Self.reserved
        where path.before(suffix).map({ access(String($0), F_OK) == 0 }) ?? false {
            throw BackupFault("\(path) is the name of a file that SQLite itself makes")
        }
        let handle = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard handle >= 0 else { throw Self.fault("make a file beside \(path)") }
        close(handle)
    }

    /// Puts the draft on the disk and gives it its name.
    func keep() throws {
        try Self.synchronize(draft)
        // A link never takes a name that is taken; where there are no links, a rename has to do.
        if link(draft, path) == 0 {
            unlink(draft)
        } else {
            guard errno != EEXIST, access(path, F_OK) != 0 else { throw Self.exists(path) }
            guard rename(draft, path) == 0 else { throw Self.fault("name the file \(path)") }
        }
        try Self.synchronize(URL(filePath: path).deletingLastPathComponent().path)
    }

    func discard() {
        for name in [draft] + Self.reserved.map({ draft + $0 }) { unlink(name) }
    }

    private static func synchronize(_ path: String) throws {
        let handle = open(path, O_RDONLY | O_CLOEXEC)
        guard handle >= 0 else { throw fault("open \(path)") }
        defer { close(handle) }
        guard fsync(handle) == 0 else { throw fault("write \(path) to the disk") }
    }

    private static func exists(_ path: String) -> BackupFault {
        BackupFault("\(path) exists already")
    }

    private static func fault(_ doing: String) -> BackupFault {
        BackupFault("cannot \(doing): \(String(cString: strerror(errno)))")
    }
}
