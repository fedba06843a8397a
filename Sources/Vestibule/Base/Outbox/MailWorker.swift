import AsyncAlgorithms
import Essentials
import Foundation
import Logging
import Mailing
import ServiceLifecycle
import Synchronization

/// Sends what is in the outbox, several mails at a time, with backoff; a kill between commit and
/// send loses nothing.
final class MailWorker: Service, CustomStringConvertible {
    private let store: any OutboxStore
    private let delivery: MailDelivery
    private let signal: OutboxSignal
    private let logger: Logger
    private let audit: Audit
    private let now: @Sendable () -> Date
    private let traffic: Mutex<MailTraffic>
    /// Says that a mail has left its place.
    private let freed = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    /// For the log, which would print every template otherwise.
    var description: String { "MailWorker" }
    /// Longer than a transport may take, so that no mail is sent twice while its first try runs: 40
    /// seconds more, for nodes whose clocks differ and for noting the result.
    private static let lease = (SMTPTransport.usualTimeout + .seconds(40)).seconds

    /// `places` is how many mails may be on their way at a time.
    init(
        store: any OutboxStore, delivery: MailDelivery, signal: OutboxSignal, places: Int, logger: Logger,
        audit: Audit, now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.delivery = delivery
        self.signal = signal
        self.logger = logger
        self.audit = audit
        self.now = now
        traffic = Mutex(MailTraffic(places: places))
    }

    /// Works until the server shuts down, and ends with the mails it is at; the others wait for the
    /// next start.
    func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            do {
                try await store.releaseMails(startedBy: delivery.node, now: now())
            } catch {
                audit.log("mail queue cannot be written", error, logger)
            }
            await withDiscardingTaskGroup { group in
                let news = signal.signals(every: .seconds(2)).map { true }
                for await isNews in merge(news, freed.stream.map { false }) {
                    if isNews { traffic.withLock { $0.askAgain() } }
                    await startDue { mail, end in group.addTask { await self.deliver(mail, leaseEnd: end) } }
                }
            }
        }
    }

    /// Starts every mail that is due and has a place, with the end of its lease.
    private func startDue(_ start: (QueuedMail, Date) -> Void) async {
        do {
            while !Task.isCancelled, let (mail, end) = try await takeNext() { start(mail, end) }
        } catch {
            audit.log("mail queue cannot be read", error, logger)
        }
    }

    private func takeNext() async throws -> (QueuedMail, Date)? {
        guard let choice = traffic.withLock(\.choice) else { return nil }
        let start = now()
        let lease = MailLease(node: delivery.node.id, until: start.addingTimeInterval(Self.lease))
        guard let mail = try await store.takeDueMail(among: choice, now: start, lease: lease) else {
            traffic.withLock { $0.foundNothing(for: choice) }
            return nil
        }
        return traffic.withLock { $0.begin(mail) } ? (mail, lease.until) : nil
    }

    private func deliver(_ mail: QueuedMail, leaseEnd: Date) async {
        // A task of its own, which a shutdown does not cancel: that a mail was sent has to be
        // noted.
        await Task {
            let answer = await delivery.deliver(mail, leaseEnd: leaseEnd)
            traffic.withLock { $0.end(mail, answer) }
        }.value
        freed.continuation.yield()
    }
}
