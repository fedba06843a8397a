import Foundation
import Logging
import Mailing
import Synchronization

/// Whether mails get out, as the worker has seen it since the start. What a recipient's server says
/// of one mail is no matter: a stranger chooses recipients.
final class MailHealth: Sendable {
    private struct State {
        /// When mails met nobody, the first time in a row and the last.
        var closed: ClosedRange<Date>?
        var senderRefusedAt: Date?
    }

    private let state = Mutex(State())

    /// Seconds that such a failure counts: longer than the longest wait between two tries, so that
    /// a fault that lasts counts without a gap.
    private static let memory: TimeInterval = 2 * 3600

    /// A mail met nobody who would take it or refuse it.
    func noteClosed(at now: Date) {
        let since = closedSince(at: now) ?? now
        state.withLock { $0.closed = min(since, now)...now }
    }

    /// The mail server refused the sender, or its password. Returns true when it did not before.
    func noteSenderRefused(at now: Date) -> Bool {
        state.withLock { state in
            defer { state.senderRefusedAt = now }
            return state.senderRefusedAt.map { now.timeIntervalSince($0) >= Self.memory } ?? true
        }
    }

    /// The mail server accepted the sender. Returns true when it had refused it before.
    func noteOpen() -> Bool {
        state.withLock { state in
            defer { state = State() }
            return state.senderRefusedAt != nil
        }
    }

    /// Since when nothing has got out; `nil` while things do, and where nothing was tried lately.
    func closedSince(at now: Date) -> Date? {
        let closed = state.withLock(\.closed)
        return closed.flatMap { now.timeIntervalSince($0.upperBound) < Self.memory ? $0.lowerBound : nil }
    }

    /// Whether only an operator can make mails go out again.
    func isSenderRefused(at now: Date) -> Bool {
        state.withLock(\.senderRefusedAt).map { now.timeIntervalSince($0) < Self.memory } ?? false
    }
}

/// A way out for mails that notes what becomes of them.
struct WatchedTransport: MailTransport {
    let transport: any MailTransport
    let health: MailHealth
    let logger: Logger
    let now: @Sendable () -> Date

    func send(_ message: MailMessage) async throws(MailFailure) {
        do {
            try await transport.send(message)
        } catch {
            note(error)
            throw error
        }
        noteOpen()
    }

    func check() async throws(MailFailure) { try await transport.check() }

    private func note(_ failure: MailFailure) {
        switch failure {
        case .temporary: health.noteClosed(at: now())
        case .deferred, .unanswered, .unconfirmed, .permanent: noteOpen()
        case .senderRefused(let reason):
            guard health.noteSenderRefused(at: now()) else { return }
            logger.error(
                "no mail goes out: the mail server refuses the sender or its password",
                metadata: ["event": "mail_sender_refused", "reason": "\(reason)"])
        }
    }

    private func noteOpen() {
        guard health.noteOpen() else { return }
        logger.notice("the mail server takes the sender again", metadata: ["event": "mail_sender_accepted"])
    }
}
