import Essentials
import Foundation
import Synchronization
import Vestibule

/// The file behind the store, so that a missing or exchanged one is noticed: SQLite would go on
/// writing to a file that nobody can see any more.
final class DatabaseFile: Sendable {
    let path: String
    /// Beside the file itself, where a link leads to it.
    private let log: String
    private let number: UInt
    private let comparedAt: Mutex<ContinuousClock.Instant>
    private static let comparedEvery: Duration = .seconds(1)

    init(path: String) throws {
        self.path = path
        log = URL(filePath: path).resolvingSymlinksInPath().path + "-wal"
        guard let number = Self.number(path) else { throw StoreUnavailable("\(path) is missing") }
        // SQLite would open it all the same, and not notice when it can be written again.
        guard access(path, W_OK) == 0 else {
            throw StoreUnavailable("\(path) cannot be written: \(String(cString: strerror(errno)))")
        }
        self.number = number
        comparedAt = Mutex(.now)
    }

    /// Throws `StoreUnavailable` when the path does not lead to the file that was opened. Asked
    /// before every access: whether it is there each time, whether it is the same one every second.
    func check() throws {
        guard access(path, F_OK) == 0 else { throw StoreUnavailable("\(path) is missing") }
        guard access(log, F_OK) == 0 else { throw StoreUnavailable("\(log) was removed; restart") }
        let isDue = comparedAt.withLock { comparedAt in
            guard .now - comparedAt > Self.comparedEvery else { return false }
            comparedAt = .now
            return true
        }
        guard isDue, Self.number(path) != number else { return }
        comparedAt.withLock { $0 = .now - Self.comparedEvery * 2 }
        throw StoreUnavailable("\(path) was replaced while open; restart to use the new one")
    }

    /// Makes folder and empty file with modes that keep others out. Throws `StoreUnavailable`.
    static func make(_ path: String) throws {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        guard PrivateFolder.make(folder) else {
            throw StoreUnavailable("the folder \(folder) cannot be made: \(String(cString: strerror(errno)))")
        }
        let handle = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard handle >= 0 else {
            if errno == EEXIST { return try keepOthersOut(ofEmpty: path) }
            throw StoreUnavailable("\(path) cannot be made: \(String(cString: strerror(errno)))")
        }
        close(handle)
    }

    private static func keepOthersOut(ofEmpty path: String) throws {
        guard FileStatus(of: path)?.size == 0 else { return }
        guard chmod(path, 0o600) == 0 else {
            let reason = String(cString: strerror(errno))
            throw StoreUnavailable("\(path) is empty, and its mode cannot be set to 0600: \(reason)")
        }
    }

    private static func number(_ path: String) -> UInt? { FileStatus(of: path)?.number }
}
