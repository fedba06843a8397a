import Crypto
import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct MailQueueTests {
    private let clock = TestClock()

    private func queue(_ store: any Store, key: SecretKey = House.key) -> MailQueue {
        MailQueue(store: store, key: key, now: { [clock] in clock.now })
    }

    private func due(_ store: any Store) async throws -> [QueuedMail] {
        let lease = MailLease(node: "node", until: clock.now + 60)
        var mails: [QueuedMail] = []
        while let mail = try await store.takeDueMail(among: .any, now: clock.now, lease: lease) { mails.append(mail) }
        return mails
    }

    /// Queues an invitation (of use for a week) and a reset code (of use for ten minutes); both
    /// fail.
    private func failedMails(_ store: any Store) async throws {
        let services = SharedServices(
            Dependencies(
                settings: try House.settings([:]), store: store, mailTransport: Mailbox(), secretKey: House.key,
                logger: LogRecorder().logger, machine: .init(now: { [clock] in clock.now })
            ))
        _ = try await Administration(services: services).invite("ada@example.com", name: "Ada", locale: "en")
        let code = PendingCode(
            flow: Token(from: .system).digest, email: "ada@example.com",
            digest: CodeDigest(bytes: Array(repeating: 1, count: 32)), codeExpiresAt: clock.now, expiresAt: clock.now
        )
        let pending = PendingReset(code: code, locale: "en")
        let mail = MailContent(kind: .passwordReset, to: "ada@example.com", locale: "en", values: [:])
        try await store.addPendingReset(
            pending, replaces: nil,
            mail: mail.sealed(for: "ada@example.com", key: House.key, id: UUID().uuidString, now: clock.now))
        for mail in try await due(store) {
            try await store.mailFailed(id: mail.id, node: "node", reason: "no such mailbox", retryAt: nil)
        }
    }

    @Test func `it tells what a mail is and whom for, masked, and nothing of what it says`() async throws {
        let store = try await sharedStore()
        try await failedMails(store)
        let mails = try await queue(store).list(after: nil, limit: 9)
        #expect(Set(mails.map(\.kind)) == [.invitation, .passwordReset])
        #expect(mails.allSatisfy { $0.maskedRecipient == "a•••@example.com" && $0.entry.reason == "no such mailbox" })
        #expect(try await queue(store).list(to: "Ada@example.com", after: nil, limit: 9) == mails)
        #expect(try await queue(store).list(to: "eve@example.com", after: nil, limit: 9).isEmpty)
        let other = SecretKey(current: SymmetricKey(size: .bits256))
        let sealed = try await queue(store, key: other).list(after: nil, limit: 9)
        #expect(sealed.count == 2 && sealed.allSatisfy { $0.kind == nil && $0.maskedRecipient == nil })
    }

    @Test func `only what is still of use is tried again`() async throws {
        let store = try await sharedStore()
        try await failedMails(store)
        let mails = try await queue(store).list(after: nil, limit: 9)
        let ids = Dictionary(uniqueKeysWithValues: mails.map { ($0.kind, $0.entry.mail.id) })
        clock.advance(by: .seconds(601))
        #expect(try await queue(store).retry(id: ids[.passwordReset] ?? "") == .stale)
        #expect(try await queue(store).retry(id: "no such") == .unknown)
        let other = SecretKey(current: SymmetricKey(size: .bits256))
        #expect(try await queue(store, key: other).retry(id: ids[.invitation] ?? "") == .unreadable)
        let outcome = try await queue(store).retryAll(onlyFailed: true)
        #expect(outcome.due == 1 && outcome.useless == 1)
        #expect(try await due(store).map(\.id) == [ids[.invitation]])
        #expect(try await queue(store).retry(id: ids[.invitation] ?? "") == .sending)
    }

    @Test func `a place in the list is read back as it was written, and nothing else is one`() {
        let position = OutboxPosition(createdAt: Date(timeIntervalSince1970: 1_795_000_000.123), id: "a.b")
        #expect(OutboxPosition(position.text)?.text == position.text)
        for text in ["", "x", "1", "1.", ".x", "-1.x", "9223372036854775807.x", "99999999999999999999.x"] {
            #expect(OutboxPosition(text) == nil)
        }
    }
}
