import Foundation
import Synchronization

/// Tells whether other servers work with a database: each holds a shared lock on the folder of the
/// file as long as it runs, and the kernel takes it away when it is killed.
///
/// The file itself cannot be locked: to close it would end SQLite's own locks (POSIX).
final class NodeLock: Sendable {
    private let folder: Mutex<Int32?>

    /// Where the folder cannot be opened, `isAlone` is always false.
    init(besides path: String) {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        let handle = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        self.folder = Mutex(handle >= 0 ? handle : nil)
    }

    deinit {
        leave()
    }

    /// Whether no other node runs, in this process or another. If so none can start until `join`.
    func isAlone() -> Bool {
        folder.withLock { $0.map { flock($0, LOCK_EX | LOCK_NB) == 0 } ?? false }
    }

    /// Counts as a node from now on. Waits while another one is alone.
    func join() {
        folder.withLock { folder in
            guard let folder else { return }
            while flock(folder, LOCK_SH) != 0 && errno == EINTR {}
        }
    }

    /// Does not count any more.
    func leave() {
        folder.withLock { folder in
            if let handle = folder { close(handle) }
            folder = nil
        }
    }
}
