import Foundation
import Logging
import Mailing
import Synchronization

/// Whether mails get out, as the worker has seen it since the start. What a recipient's server says
/// of one mail is no matter: a stranger chooses recipients.
final class MailHealth: Sendable {
    private struct State {
        var closedSince: Date?
        var isSenderRefused = false
    }

    private let state = Mutex(State())

    /// A mail met nobody who would take it or refuse it.
    func noteClosed(at now: Date) {
        state.withLock { $0.closedSince = $0.closedSince ?? now }
    }

    /// The mail server refused the sender, or its password. Returns true when it did not before.
    func noteSenderRefused() -> Bool {
        state.withLock { state in
            defer { state.isSenderRefused = true }
            return !state.isSenderRefused
        }
    }

    /// The mail server accepted the sender. Returns true when it had refused it before.
    func noteOpen() -> Bool {
        state.withLock { state in
            defer { state = State() }
            return state.isSenderRefused
        }
    }

    /// Since when nothing has got out; `nil` while things do.
    var isClosedSince: Date? { state.withLock { $0.closedSince } }

    /// Whether only an operator can make mails go out again.
    var isSenderRefused: Bool { state.withLock { $0.isSenderRefused } }
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
        case .deferred, .unanswered, .permanent: noteOpen()
        case .senderRefused(let reason):
            guard health.noteSenderRefused() else { return }
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
