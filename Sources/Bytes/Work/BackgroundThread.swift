import Foundation

/// Threads for work that takes the processor for long, and must not keep pages from being served.
package enum BackgroundThread {
    /// Linux nice value; pages are served by threads at 0.
    private static let niceness: Int32 = 10

    /// The system shows the first 15 bytes of the name.
    package static func start(_ name: String, _ work: @escaping @Sendable () -> Void) {
        let thread = Thread {
            #if canImport(Glibc)
                // On Linux a "process" of setpriority is one thread, and 0 the calling one.
                // Elsewhere it would be the whole program.
                _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
            #endif
            // Foundation keeps its name from the system, which shows that of the thread that made
            // it.
            try? name.write(toFile: "/proc/thread-self/comm", atomically: false, encoding: .utf8)
            work()
        }
        thread.name = name
        thread.start()
    }
}
