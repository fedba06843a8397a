package import Foundation
import Synchronization

/// Foundation closes the files of this process in a child by a list that it makes before the child
/// starts. What another thread opens in between stays open in the child, until that ends: the
/// reader of a pipe then sees no end, and Foundation no end of a process.
private let opening = Mutex(())

extension Process {
    /// `run`, while no other process starts and no pipe is made.
    package func runAlone() throws {
        try opening.withLock { _ in try run() }
    }
}

extension Pipe {
    /// A pipe that no process inherits which is starting just now.
    package static func alone() -> Pipe {
        opening.withLock { _ in Pipe() }
    }
}
