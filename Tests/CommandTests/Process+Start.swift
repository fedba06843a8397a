import Foundation
import TestSupport

extension Process {
    /// Runs it; tells its status, or the number of the signal, once it has ended. Foundation has
    /// been seen to leave a process that had ended unnoticed, so the kernel is asked, too.
    func start() throws -> AsyncStream<Int32> {
        let (statuses, status) = AsyncStream<Int32>.makeStream()
        terminationHandler = { status.yield($0.terminationStatus) }
        try runAlone()
        let id = id_t(processIdentifier)
        Thread.detachNewThread {
            var end = siginfo_t()
            // Fails when Foundation was first, and leaves it to Foundation otherwise.
            guard waitid(P_PID, id, &end, WEXITED | WNOWAIT) == 0 else { return }
            status.yield(end._sifields._sigchld.si_status)
        }
        return statuses
    }
}
