import Crypto
import Foundation
import HTTPTypes
import Logging
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// Signals of a site whose receiver does not answer, and the keys that sign them.
@Suite(.timeLimit(.minutes(15)))
struct SignalWorkerTests {
    /// Nothing listens there.
    private static let deaf = ["VESTIBULE_WEBHOOK_PORTAL_URL": "http://127.0.0.1:1/"]

    /// What has come of the first signal, as soon as it was tried.
    private func firstTry(_ house: House) async throws -> SignalEntry {
        _ = try await house.member("ada@example.com")
        var entry: SignalEntry?
        try await house.until {
            entry = try await house.services.store.signals(limit: 9).first { $0.reason != nil }
            return entry != nil
        }
        return try #require(entry)
    }

    @Test func `a signal that is not taken is due again, and readiness does not depend on it`() async throws {
        let clock = TestClock(Date())
        try await withHouse(clock: clock, environment: Self.deaf) { house in
            let entry = try await firstTry(house)
            #expect(entry.signal.event == "account.created" && entry.signal.attempts == 1)
            guard case .waiting(let next) = entry.state else {
                Issue.record("\(entry.state)")
                return
            }
            #expect(abs(next.timeIntervalSince(clock.now) - 5) < 0.01)
            #expect(try await house.visitor().get("/readyz").status == .ok)
            #expect(house.logs.lines.contains { $0.contains("warning signal not sent") && $0.contains("retry=true") })
        }
    }

    @Test func `a name that leads to this machine is not called`() async throws {
        let inside = ["VESTIBULE_WEBHOOK_PORTAL_URL": "https://portal.localhost:1/"]
        try await withHouse(clock: TestClock(Date()), environment: inside) { house in
            let entry = try await firstTry(house)
            #expect(entry.reason?.hasSuffix("is no address of the Internet") == true, "\(entry)")
        }
    }

    /// A clock that is days ahead for a moment gives up nothing.
    @Test func `a signal is given up after three days and twelve tries`() async throws {
        let (store, clock) = (try await sharedStore(), TestClock(Date(timeIntervalSinceNow: 3 * 86_400 + 60)))
        try await withHouse(store: store, clock: clock, environment: Self.deaf) { house in
            let state = try await firstTry(house).state
            #expect(state != .failed)
        }
        let webhook = try #require(
            try SettingsSources.read(flags: [:], environment: Self.deaf, environmentFile: nil).webhooks.first)
        let (target, logs) = (SignalTarget(webhook, key: House.key), LogRecorder(level: .info))
        let delivery = SignalDelivery(store: store, logger: logs.logger, now: { clock.now }, node: "n")
        var tries: [Int] = []
        while try await store.signals(limit: 9).contains(where: { $0.state != .failed }) {
            clock.advance(by: .seconds(601))
            let lease = MailLease(node: "n", until: clock.now + 60)
            let signal = try #require(try await store.takeDueSignal(for: target.name, now: clock.now, lease: lease))
            if signal.event == "account.created" { tries.append(signal.attempts + 1) }
            #expect(await delivery.deliver(signal, to: target, leaseEnd: lease.until) == .failed)
        }
        #expect(tries.last == 12)
        let last = try #require(logs.lines(of: "signal_given_up").first)
        #expect(last.contains("error signal not sent") && last.contains("retry=false"))
    }

    @Test func `who is not in the settings any more is told of nothing new`() async throws {
        let store = try await sharedStore()
        try await store.setSubscriptions([SignalSubscription(event: "account.created", target: "webhook:gone")])
        try await withHouse(store: store, environment: Self.deaf) { house in
            _ = try await firstTry(house)
            #expect(try await store.signals(limit: 9).allSatisfy { $0.signal.target == "webhook:portal" })
        }
    }

    @Test func `a start that takes targets away while another node serves says so`() async throws {
        let (store, clock) = (try await sharedStore(), TestClock(Date()))
        @Sendable func removed(by house: House) -> [String] {
            house.logs.lines.filter { $0.contains("signal_targets_removed") }
        }
        let former: Set = [SignalSubscription(event: "account.created", target: "webhook:hr")]
        try await store.setSubscriptions(former)
        try await withHouse(store: store, clock: clock, environment: Self.deaf) { house in
            _ = try await firstTry(house)
            #expect(removed(by: house).isEmpty)
        }
        let other = Node(id: "other", name: "node2:8080", version: "1", startedAt: clock.now)
        try await store.setSubscriptions(former)
        try await store.noteNode(other, now: clock.now)
        try await withHouse(store: store, clock: clock, environment: Self.deaf) { house in
            try await house.until { !removed(by: house).isEmpty }
            let line = try #require(removed(by: house).first)
            #expect(line.contains("webhook:hr account.created") && line.contains("others=node2:8080"), "\(line)")
        }
    }

    @Test func `a node puts back what another one has taken away, and leaves what that one has`() async throws {
        let (store, logs) = (try await sharedStore(), LogRecorder(level: .info))
        let webhook = try #require(
            try SettingsSources.read(flags: [:], environment: Self.deaf, environmentFile: nil).webhooks.first)
        let target = SignalTarget(webhook, key: House.key)
        let own = Set(target.events.map { SignalSubscription(event: $0, target: target.name) })
        let worker = SignalWorker(
            store: store, targets: [target],
            delivery: SignalDelivery(store: store, logger: logs.logger, now: { Date() }, node: "n"),
            audit: Audit(logger: logs.logger, random: .system, now: { Date() }), keptEvery: .milliseconds(10))
        let running = Task { try await worker.run() }
        // The store tells nobody of a change; the suite's limit of time ends the wait.
        while try await store.subscriptions() != own { try await Task.sleep(for: .milliseconds(10)) }
        let others: Set = [SignalSubscription(event: "account.created", target: "webhook:hr")]
        try await store.setSubscriptions(others)
        while try await store.subscriptions() != own.union(others) { try await Task.sleep(for: .milliseconds(10)) }
        running.cancel()
        _ = await running.result
    }

    @Test func `while the secret key changes, both keys sign, the new one first`() throws {
        let (old, new) = (SymmetricKey(data: [UInt8](repeating: 1, count: 32)), SymmetricKey(size: .bits256))
        let both = SecretKey(current: new, previous: old)
        let keys = WebhookSigner.publicKeys(of: both)
        let alone = [new, old].flatMap { WebhookSigner.publicKeys(of: SecretKey(current: $0)) }
        #expect(keys == alone && Set(keys).count == 2 && keys.allSatisfy { $0.begins(with: "whpk_") })
        let webhook = try #require(
            try SettingsSources.read(flags: [:], environment: Self.deaf, environmentFile: nil).webhooks.first)
        let headers = try WebhookSigner(webhook, key: both).headers(
            id: "1", body: "{}", at: Date(timeIntervalSince1970: 9))
        let line = try #require(headers.last?.after("webhook-signature: "))
        let signatures = line.parts(by: " ").compactMap { $0.after("v1a,").flatMap { Data(base64Encoded: String($0)) } }
        let raw = keys.compactMap { $0.after("whpk_").flatMap { Data(base64Encoded: String($0)) } }
        for (key, signature) in zip(raw, signatures) {
            let key = try Curve25519.Signing.PublicKey(rawRepresentation: key)
            #expect(key.isValidSignature(signature, for: Data("1.9.{}".utf8)))
        }
        #expect(signatures.count == 2 && raw.count == 2)
    }
}
