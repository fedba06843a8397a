import Crypto
import Foundation
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import Essentials
@testable import Mailing
@testable import PasswordHashing
@testable import Serving
@testable import Vestibule

/// One try to send a mail by a node of several.
@Suite(.timeLimit(.minutes(15)))
struct MailDeliveryTests {
    private static let keys = [1, 2].map { SymmetricKey(data: [UInt8](repeating: $0, count: 32)) }
    private let clock = TestClock()
    private let mailbox = Mailbox()
    private let logs = LogRecorder()

    private func services(_ store: any Store, key: SecretKey = House.key) throws -> SharedServices {
        SharedServices(
            Dependencies(
                settings: try House.settings([:]), store: store, mailTransport: mailbox, secretKey: key,
                logger: logs.logger, machine: .init(random: .ofRunningTest(), now: { [clock] in clock.now })))
    }

    /// Delivers the mail that is due, as a node with that key does.
    private func deliver(_ services: SharedServices, to outbox: (any OutboxStore)? = nil) async throws {
        let lease = MailLease(node: services.node.id, until: clock.now + 60)
        let mail = try await services.store.takeDueMail(among: .any, now: clock.now, lease: lease)
        let templates = try House.content(services.settings).pages.templates
        let delivery = MailDelivery(
            store: outbox ?? services.store,
            renderer: MailRenderer(templates: templates, from: services.settings.mailFrom), transport: mailbox,
            key: services.secretKey, logger: services.logger, now: services.now, node: services.node,
            pause: .milliseconds(1))
        _ = await delivery.deliver(try #require(mail), leaseEnd: lease.until)
    }

    /// Puts a mail into the outbox that is of use for a while.
    private func queue(_ content: MailContent, _ services: SharedServices) async throws {
        let code = PendingCode(
            flow: Token(from: .system).digest, email: "ada@example.com",
            digest: CodeDigest(bytes: Array(repeating: 1, count: 32)), codeExpiresAt: clock.now, expiresAt: clock.now)
        let mail = try content.sealed(
            for: "ada@example.com", key: services.secretKey, id: UUID().uuidString, now: clock.now)
        let pending = PendingSignup(
            code: code, displayName: "Ada", passwordHash: PasswordHash(phc: "phc"),
            consent: Consent(
                id: "consent", version: "1", textDigest: Array(repeating: 1, count: 32), acceptedAt: clock.now,
                locale: "en", address: nil),
            locale: "en", returnTo: nil)
        try await services.store.addPendingSignup(
            pending, replaces: nil, mails: AddressMails(whenFree: mail, whenTaken: mail, whenDisabled: mail))
    }

    private func content(_ kind: MailContent.Kind) -> MailContent {
        MailContent(kind: kind, to: "ada@example.com", locale: "en", values: ["code": "123456"])
    }

    @Test func `a mail that was sent is noted as soon as the database answers again, and not sent twice`() async throws
    {
        try await HouseEngine.with { store in
            let services = try services(store)
            try await queue(content(.passwordReset), services)
            try await deliver(services, to: AwayOutbox(store, refusals: 2))
            #expect(await mailbox.count(to: "ada@example.com") == 1)
            #expect(try await store.outboxEntries(to: nil, after: nil, onlyFailed: false, limit: 9).isEmpty)
        }
    }

    @Test func `when the database stays away for the whole lease, the log says that a mail may go again`() async throws
    {
        try await HouseEngine.with { store in
            let services = try services(store)
            try await queue(content(.passwordReset), services)
            let away = AwayOutbox(store, refusals: .max) { [clock] in clock.advance(by: .seconds(20)) }
            try await deliver(services, to: away)
            #expect(logs.lines.filter { $0.hasPrefix("error ") && $0.contains("may go again") }.count == 1)
            #expect(away.refused == 3)
        }
    }

    @Test func `a mail sealed with a key that this node does not know is left to another node`() async throws {
        try await HouseEngine.with { store in
            let new = try services(store, key: SecretKey(current: Self.keys[1], previous: Self.keys[0]))
            try await queue(content(.passwordReset), new)
            try await deliver(services(store, key: SecretKey(current: Self.keys[0])))
            #expect(await mailbox.count(to: "ada@example.com") == 0)
            #expect(try await store.nextMailDue() == clock.now + 5)
            #expect(logs.lines.contains { $0.hasPrefix("warning ") && $0.contains("VESTIBULE_SECRET_KEY") })
            clock.advance(by: .seconds(5))
            try await deliver(new)
            #expect(await mailbox.count(to: "ada@example.com") == 1)
        }
    }

    @Test func `a mail of a kind that only the next version knows is left to a node of that`() async throws {
        try await HouseEngine.with { store in
            let services = try services(store)
            try await queue(content(.init("of_tomorrow", usefulFor: .seconds(600), isUrgent: true)), services)
            try await deliver(services)
            #expect(try await store.nextMailDue() == clock.now + 5)
            let entries = try await store.outboxEntries(to: nil, after: nil, onlyFailed: false, limit: 1)
            let entry = try #require(entries.first)
            // A try that only said so delays none of those who can send it.
            #expect(entry.mail.attempts == 0)
            clock.advance(by: .seconds(601))
            try await deliver(services)
            #expect(try await store.nextMailDue() == nil)
        }
    }

    @Test(arguments: [MailFailure.temporary("away"), .deferred("mailbox full"), .unanswered("silent")])
    func `a mail that stays of use is tried for five days, however often it fails`(failure: MailFailure) async throws {
        try await HouseEngine.with { store in
            let services = try services(store)
            await mailbox.fail(failure)
            try await queue(content(.init("password-reset")), services)
            for _ in 1...13 {
                try await deliver(services)
                clock.advance(by: QueuedMail.longestWait)
            }
            #expect(try await store.nextMailDue() == clock.now)
            #expect(logs.lines.contains { $0.contains("mail not sent") && $0.contains("kind=password-reset") })
            clock.advance(by: .seconds(5 * 86_400))
            try await deliver(services)
            #expect(try await store.nextMailDue() == nil)
        }
    }

    @Test func `a mail that may have arrived goes again only after minutes, and four times in all`() async throws {
        try await HouseEngine.with { store in
            let services = try services(store)
            await mailbox.fail(.unconfirmed("silent"))
            try await queue(content(.init("password-reset")), services)
            for minutes in [5, 10, 20] {
                try await deliver(services)
                clock.advance(by: .seconds(60 * minutes))
                #expect(try await store.nextMailDue() == clock.now)
            }
            try await deliver(services)
            #expect(try await store.nextMailDue() == nil)
        }
    }

    @Test(arguments: [(true, 601), (false, 5 * 86_400 + 1)])
    func `a mail that nobody can open fails when it is of no use any more`(isUrgent: Bool, seconds: Int) async throws {
        try await HouseEngine.with { store in
            try await queue(
                content(.init("password-reset", isUrgent: isUrgent)),
                services(store, key: SecretKey(current: Self.keys[1])))
            let services = try services(store)
            clock.advance(by: .seconds(seconds - 2))
            try await deliver(services)
            let due = try #require(try await store.nextMailDue())
            clock.advance(by: .seconds(due.timeIntervalSince(clock.now).rounded(.up)))
            try await deliver(services)
            #expect(try await store.nextMailDue() == nil)
            #expect(logs.lines.contains { $0.hasPrefix("error ") && $0.contains("retry=false") })
        }
    }
}

/// An outbox that cannot be written for a while once a mail was sent.
private final class AwayOutbox: OutboxStore {
    private let store: any OutboxStore
    private let left: Mutex<Int>
    private let calls = Mutex(0)
    private let onRefusal: @Sendable () -> Void

    init(_ store: any OutboxStore, refusals: Int, onRefusal: @escaping @Sendable () -> Void = {}) {
        (self.store, self.onRefusal) = (store, onRefusal)
        left = Mutex(refusals)
    }

    var refused: Int { calls.withLock { $0 } }

    func mailSent(id: String) async throws {
        let refuses = left.withLock { left in
            defer { left = max(0, left - 1) }
            return left > 0
        }
        guard refuses else { return try await store.mailSent(id: id) }
        calls.withLock { $0 += 1 }
        onRefusal()
        throw StoreUnavailable("away")
    }

    func takeDueMail(among choice: MailChoice, now: Date, lease: MailLease) async throws -> QueuedMail? {
        try await store.takeDueMail(among: choice, now: now, lease: lease)
    }
    func releaseMails(startedBy node: Node, now: Date) async throws {
        try await store.releaseMails(startedBy: node, now: now)
    }
    func mailFailed(id: String, node: String, reason: String, retryAt: Date?) async throws {
        try await store.mailFailed(id: id, node: node, reason: reason, retryAt: retryAt)
    }
    func mailPutBack(id: String, node: String, reason: String, retryAt: Date) async throws {
        try await store.mailPutBack(id: id, node: node, reason: reason, retryAt: retryAt)
    }
    func untriedMailDue() async throws -> Date? { try await store.untriedMailDue() }
}
