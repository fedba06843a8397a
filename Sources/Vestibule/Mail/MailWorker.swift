import Foundation
import Logging
import ServiceLifecycle

/// Sends what is in the outbox, with backoff; a kill between commit and send loses nothing.
struct MailWorker: Service, CustomStringConvertible {
    let store: any OutboxStore
    let renderer: MailRenderer
    let transport: any MailTransport
    let key: SecretKey
    let bell: OutboxBell
    let health: MailHealth
    let logger: Logger
    let now: @Sendable () -> Date
    /// For the log, which would print every template otherwise.
    var description: String { "MailWorker" }
    /// Longer than a transport may take, so that no mail is sent twice while its first try runs.
    private static let lease: TimeInterval = 60
    private static let attemptsAtMost = 12

    init(needs: Needs, renderer: MailRenderer) {
        store = needs.store
        self.renderer = renderer
        transport = needs.mailTransport
        key = needs.secretKey
        bell = needs.outboxBell
        health = needs.mailHealth
        logger = needs.logger
        now = needs.now
    }

    /// Works until the server shuts down, and ends with the mail it is at; the others wait for the next start.
    func run() async throws {
        let logger = logger
        await cancelWhenGracefulShutdown {
            do {
                try await store.releaseMails()
            } catch {
                logger.error("mail queue cannot be written", metadata: ["error": "\(error)"])
            }
            for await _ in bell.rings(every: .seconds(2)) {
                do {
                    try await sendDue()
                } catch {
                    logger.error("mail queue cannot be read", metadata: ["error": "\(error)"])
                }
            }
        }
    }

    /// Sends every mail that is due now.
    func sendDue() async throws {
        while !Task.isCancelled {
            let start = now()
            // One at a time: of several, the last would wait longer than its lease when the first ones hang.
            let due = try await store.takeDueMails(
                limit: 1, now: start, leaseUntil: start.addingTimeInterval(Self.lease))
            guard let mail = due.first else { return }
            try await send(mail)
        }
    }

    private func send(_ mail: QueuedMail) async throws {
        let message: MailMessage
        do {
            let content = try mail.content(key: key)
            if let useful = content.kind.usefulFor, now() > mail.createdAt.addingTimeInterval(useful.seconds) {
                return try await store.mailFailed(id: mail.id, reason: "what it offers has expired", retryAt: nil)
            }
            message = try renderer.message(content, id: mail.id, date: mail.createdAt)
        } catch let fault as StoreUnavailable {
            throw fault
        } catch {
            logger.error("mail cannot be opened or rendered", metadata: ["mail": "\(mail.id)"])
            return try await store.mailFailed(id: mail.id, reason: "cannot be opened or rendered", retryAt: nil)
        }
        do {
            try await transport.send(message)
            health.noteOpen()
            try await store.mailSent(id: mail.id)
            logger.info("mail sent", metadata: ["mail": "\(mail.id)"])
        } catch let failure as MailFailure {
            try await note(failure, of: mail)
        }
    }

    private func note(_ failure: MailFailure, of mail: QueuedMail) async throws {
        let (reason, mayRetry) =
            switch failure {
            case .temporary(let reason), .deferred(let reason): (reason, mail.attempts + 1 < Self.attemptsAtMost)
            case .permanent(let reason): (reason, false)
            }
        if case .temporary = failure { health.noteClosed(at: now()) } else { health.noteOpen() }
        logger.warning(
            "mail not sent", metadata: ["mail": "\(mail.id)", "reason": "\(reason)", "retry": "\(mayRetry)"]
        )
        try await store.mailFailed(
            id: mail.id, reason: reason, retryAt: mayRetry ? now().addingTimeInterval(Self.backoff(mail.attempts)) : nil
        )
    }

    /// 5 seconds, doubled each time, at most an hour.
    private static func backoff(_ attempts: Int) -> TimeInterval {
        min(3600, 5 * Double(1 << min(attempts, 20)))
    }
}
