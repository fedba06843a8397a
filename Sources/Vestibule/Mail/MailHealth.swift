import Foundation
import Synchronization

/// Whether mails get out, as the worker has seen it since the start. What a recipient's server says of one mail is no matter:
/// a stranger chooses recipients.
package final class MailHealth: Sendable {
    private let closedSince = Mutex<Date?>(nil)

    /// A mail met nobody who would take it or refuse it.
    func noteClosed(at now: Date) {
        closedSince.withLock { $0 = $0 ?? now }
    }

    func noteOpen() {
        closedSince.withLock { $0 = nil }
    }

    /// Since when nothing has got out; `nil` while things do.
    var isClosedSince: Date? { closedSince.withLock { $0 } }
}
