import Essentials
package import Foundation

/// A mail in the outbox with what has come of it so far.
package struct OutboxEntry: Sendable, Equatable {
    package enum State: Sendable, Equatable {
        case waiting(nextTry: Date)
        /// A worker has it; another may take it then.
        case sending(until: Date)
        /// Never again by itself.
        case failed
    }

    package let mail: QueuedMail
    package let state: State
    /// Why the last try failed.
    package let reason: String?

    package init(mail: QueuedMail, state: State, reason: String?) {
        self.mail = mail
        self.state = state
        self.reason = reason
    }

    package var position: OutboxPosition { OutboxPosition(createdAt: mail.createdAt, id: mail.id) }
}

/// Where a listing of mails goes on: written as milliseconds since 1970, a dot, and the id.
package struct OutboxPosition: Sendable, Equatable {
    package let createdAt: Date
    package let id: String

    package init(createdAt: Date, id: String) {
        self.createdAt = createdAt
        self.id = id
    }

    /// Milliseconds since 1970, up to the year 9999.
    private static let moments: ClosedRange<Int64> = 0...253_402_300_799_999

    /// Reads `text`; `nil` for anything else.
    package init?(_ text: String) {
        let parts = text.parts(by: ".", atMost: 2)
        guard parts.count == 2, let milliseconds = Int64(parts[0]), Self.moments.contains(milliseconds),
            !parts[1].isEmpty
        else { return nil }
        self.init(createdAt: Date(timeIntervalSince1970: Double(milliseconds) / 1000), id: String(parts[1]))
    }

    package var text: String { "\(Int64((createdAt.timeIntervalSince1970 * 1000).rounded())).\(id)" }
}
