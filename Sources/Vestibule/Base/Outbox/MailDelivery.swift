import Essentials
import Foundation
import Logging
import Mailing

/// One try to send one mail, and what is noted of it.
struct MailDelivery: Sendable {
    let store: any OutboxStore
    let renderer: MailRenderer
    let transport: any MailTransport
    let key: SecretKey
    let logger: Logger
    let now: @Sendable () -> Date
    /// Whose leases are reported on.
    let node: Node
    /// Between two tries to note that a mail was sent.
    var pause: Duration = .seconds(1)
    /// How long a mail that stays of use is tried (RFC 5321, 4.5.4.1).
    private static let patience: TimeInterval = 5 * 86_400
    /// Tries, at least, of a mail older than that: sent again by `mail retry`, or queued while no
    /// server ran.
    private static let fewestTries = 12
    /// A mail that may have arrived is not tried again after so many tries, whatever the earlier
    /// ones failed of.
    private static let mostCopies = 4

    /// Sends the mail, or notes why not and when to try again. Faults of the store are logged. No
    /// other node takes the mail before `leaseEnd`.
    func deliver(_ mail: QueuedMail, leaseEnd: Date) async -> MailTraffic.Answer {
        do {
            guard let (message, kind) = try await message(mail) else { return .notAsked }
            return try await send(message, kind, mail, leaseEnd: leaseEnd)
        } catch {
            logger.error("mail queue cannot be written", metadata: ["error": "\(error)"])
            return .notAsked
        }
    }

    /// Returns nil for what is of no use any more, or cannot be opened or rendered, which is noted.
    private func message(_ mail: QueuedMail) async throws -> (MailMessage, MailContent.Kind)? {
        guard let content = try? mail.content(key: key) else {
            try await putBack(mail, "cannot be opened: see VESTIBULE_SECRET_KEY and VESTIBULE_SECRET_KEY_PREVIOUS")
            return nil
        }
        if let until = mail.usefulUntil(content), now() > until {
            try await store.mailFailed(
                id: mail.id, node: node.id, reason: "what it offers has expired", retryAt: nil)
            return nil
        }
        do {
            let message = try renderer.message(content, id: mail.id, date: mail.createdAt, now: now())
            return (message, content.kind)
        } catch {
            try await putBack(mail, "cannot be rendered by this version: \(error)")
            return nil
        }
    }

    /// Puts a mail back for the other nodes, which may have another key or be of another version,
    /// as long as it may be worth sending.
    private func putBack(_ mail: QueuedMail, _ reason: String) async throws {
        let patience = mail.isUrgent ? QueuedMail.urgentLifetime : Self.patience
        let age = now().timeIntervalSince(mail.createdAt)
        let mayRetry = age < patience
        logger.log(
            level: mayRetry ? .warning : .error, "mail cannot be opened or rendered",
            metadata: ["mail": "\(mail.id)", "reason": "\(reason)", "retry": "\(mayRetry)"])
        guard mayRetry else {
            return try await store.mailFailed(id: mail.id, node: node.id, reason: reason, retryAt: nil)
        }
        // Half as long again as it has waited so far.
        let wait = min(QueuedMail.longestWait.seconds, max(5, age / 2))
        try await store.mailPutBack(
            id: mail.id, node: node.id, reason: reason, retryAt: now().addingTimeInterval(wait))
    }

    private func send(
        _ message: MailMessage, _ kind: MailContent.Kind, _ mail: QueuedMail, leaseEnd: Date
    ) async throws -> MailTraffic.Answer {
        do {
            try await transport.send(message)
        } catch {
            try await put(mail, kind, aside: error)
            return error.answer
        }
        logger.info("mail sent", metadata: ["mail": "\(mail.id)", "kind": "\(kind.name)"])
        await SentNote(what: "mail", logger: logger, now: now, pause: pause).note(mail.id, leaseEnd: leaseEnd) {
            try await store.mailSent(id: mail.id)
        }
        return .given
    }

    private func put(_ mail: QueuedMail, _ kind: MailContent.Kind, aside failure: MailFailure) async throws {
        let isYoung = now() < mail.createdAt.addingTimeInterval(Self.patience)
        let mayRetry =
            switch failure {
            case .temporary, .senderRefused, .deferred, .unanswered:
                isYoung || mail.attempts + 1 < Self.fewestTries
            case .unconfirmed: mail.attempts + 1 < Self.mostCopies
            case .permanent: false
            }
        logger.warning(
            "mail not sent",
            metadata: [
                "mail": "\(mail.id)", "kind": "\(kind.name)", "reason": "\(failure.reason)", "retry": "\(mayRetry)",
            ])
        try await store.mailFailed(
            id: mail.id, node: node.id, reason: failure.reason,
            retryAt: mayRetry ? now().addingTimeInterval(Self.backoff(mail.attempts, failure)) : nil
        )
    }

    /// 5 seconds, doubled each time, at most an hour; 5 minutes where the mail may have arrived.
    private static func backoff(_ attempts: Int, _ failure: MailFailure) -> TimeInterval {
        let first: TimeInterval = if case .unconfirmed = failure { 300 } else { 5 }
        return min(QueuedMail.longestWait.seconds, first * Double(1 << min(attempts, 20)))
    }
}

extension MailFailure {
    fileprivate var answer: MailTraffic.Answer {
        switch self {
        case .temporary, .senderRefused: .notAsked
        case .unanswered, .unconfirmed: .missing
        case .deferred, .permanent: .given
        }
    }
}
