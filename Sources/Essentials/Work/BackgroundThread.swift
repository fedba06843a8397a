import Foundation

/// Threads for work that takes the processor for long, and must not keep pages from being served.
package enum BackgroundThread {
    /// Linux nice value; pages are served by threads at 0.
    private static let niceness: Int32 = 10

    package static func start(_ name: String, _ work: @escaping @Sendable () -> Void) {
        let thread = Thread {
            // On Linux a "process" of setpriority is one thread, and 0 the calling one.
            _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
            work()
        }
        thread.name = name
        thread.start()
    }
}
