import Glibc
import HummingbirdCore
package import Logging

/// Accepts no more connections than files may be open, less what the store, mails and logs need:
/// without files left, accepting would spin and nothing would work. Those beyond wait until others
/// are closed, idle ones after thirty seconds.
package struct ConnectionLimit: AvailableConnectionsDelegate {
    private let atMost: Int
    private let logger: Logger
    private var open = 0
    private static let reserved = 64

    package init(filesAtMost: Int = sysconf(Int32(_SC_OPEN_MAX)), logger: Logger) {
        atMost = max(16, filesAtMost - Self.reserved)
        self.logger = logger
    }

    mutating func connectionOpened() {
        open += 1
        guard open == atMost else { return }
        logger.warning(
            "no more connections are accepted until others are closed",
            metadata: ["event": "connections_exhausted", "open": "\(open)"])
    }

    mutating func connectionClosed() {
        open -= 1
    }

    func isAcceptingNewConnections() -> Bool {
        open < atMost
    }
}
