import Crypto
import Foundation
import HTTPTypes
import Logging
import Synchronization
import TestSupport
import Testing

@testable import Essentials
@testable import Serving
@testable import Vestibule

/// Factors under a new `VESTIBULE_SECRET_KEY`.
@Suite(.timeLimit(.minutes(15)))
struct FactorSealingTests {
    private static let email = "ada@example.com"
    private static let keys = (1...3).map { SymmetricKey(data: [UInt8](repeating: $0, count: 32)) }

    /// An app, and codes, of an account made under the first key.
    private func made(_ store: any Store, _ clock: TestClock) async throws -> (app: AuthenticatorApp, codes: [String]) {
        let kept = Kept<(app: AuthenticatorApp, codes: [String])>()
        try await withHouse(store: store, key: SecretKey(current: Self.keys[0]), clock: clock) { house in
            let member = try await house.member(Self.email)
            let app = try await member.addApp(at: clock.now)
            kept.value = (app, try await member.makeRecoveryCodes().recoveryCodes)
        }
        clock.advance(by: .seconds(30))
        return try #require(kept.value)
    }

    /// Whether password and that code sign in under the key of that number.
    private func opens(
        _ code: String, _ number: Int, tidies: Bool, _ store: any Store, _ clock: TestClock
    ) async throws -> Bool {
        let kept = Kept<Bool>()
        let key = SecretKey(current: Self.keys[number], previous: Self.keys[number - 1])
        try await withHouse(store: store, key: key, clock: clock, logLevel: .debug) { house in
            if tidies { try await house.tidy() }
            let visitor = house.visitor(at: "203.0.113.\(number)")
            try await visitor.logIn(email: Self.email)
            kept.value = try await visitor.second(code: code).location == "/account"
        }
        return kept.value ?? false
    }

    @Test func `after a second change app and codes still open the account`() async throws {
        let (store, clock) = try await (sharedStore(), TestClock())
        let (app, codes) = try await made(store, clock)
        #expect(try await opens(app.code(at: clock.now), 1, tidies: true, store, clock))
        clock.advance(by: .seconds(30))
        #expect(try await opens(app.code(at: clock.now), 2, tidies: true, store, clock))
        #expect(try await opens(codes[0], 2, tidies: false, store, clock))
        #expect(try await FactorSealing(store: store, key: SecretKey(current: Self.keys[2])).left() == 0)
    }

    @Test func `what was not sealed anew is counted, and stays as it was`() async throws {
        let (store, clock) = try await (sharedStore(), TestClock())
        let (app, codes) = try await made(store, clock)
        let lost = FactorSealing(store: store, key: SecretKey(current: Self.keys[2], previous: Self.keys[1]))
        #expect(try await lost.left() == 2)
        try await lost.renew(besides: store, now: clock.now)
        #expect(try await lost.left() == 2)
        // Without the previous key nothing is touched.
        try await FactorSealing(store: store, key: SecretKey(current: Self.keys[1])).renew(
            besides: store, now: clock.now)
        #expect(try await opens(app.code(at: clock.now), 1, tidies: false, store, clock))
        #expect(try await opens(codes[0], 1, tidies: true, store, clock))
        #expect(try await FactorSealing(store: store, key: SecretKey(current: Self.keys[1])).left() == 0)
    }

    @Test func `while a node works with the old key nothing is sealed anew, and both nodes take app and codes`()
        async throws
    {
        let (store, clock) = try await (sharedStore(), TestClock())
        let (app, codes) = try await made(store, clock)
        let new = SecretKey(current: Self.keys[1], previous: Self.keys[0])
        try await withHouse(store: store, key: SecretKey(current: Self.keys[0]), clock: clock) { old in
            try await old.until { try await store.nodes().count == 1 }
            try await withHouse(store: store, key: new, clock: clock, logLevel: .debug) { house in
                try await house.tidy()
                #expect(try await FactorSealing(store: store, key: new).left() == 2)
                for (code, node) in [(app.code(at: clock.now), old), (codes[0], old), (codes[1], house)] {
                    let visitor = node.visitor(at: "203.0.113.9")
                    try await visitor.logIn(email: Self.email)
                    #expect(try await visitor.second(code: code).location == "/account")
                }
            }
        }
        clock.advance(by: .seconds(Int64(Node.silentAfter) + 1))
        try await withHouse(store: store, key: new, clock: clock, logLevel: .debug) { house in
            try await house.tidy()
            #expect(try await FactorSealing(store: store, key: new).left() == 0)
        }
    }

    @Test func `a node that does not know the key refuses for now, and says which setting is missing`() async throws {
        let (store, clock) = try await (sharedStore(), TestClock())
        let (app, codes) = try await made(store, clock)
        try await withHouse(store: store, key: SecretKey(current: Self.keys[2]), clock: clock) { house in
            try await house.until { house.logs.lines(of: "factors_unreadable").count == 1 }
            for code in [app.code(at: clock.now), codes[0]] {
                let visitor = house.visitor()
                try await visitor.logIn(email: Self.email)
                let answer = try await visitor.second(code: code)
                #expect(answer.status == .serviceUnavailable && answer.headers[.retryAfter] != nil)
            }
            let lines = house.logs.lines(of: "factor_unreadable")
            #expect(lines.count == 2 && lines.allSatisfy { $0.contains("VESTIBULE_SECRET_KEY_PREVIOUS") })
            #expect(!house.logs.lines.contains { $0.contains("fault") })
        }
    }

    @Test func `nodes whose keys differ by mistake say so when they start`() async throws {
        let (store, clock) = try await (sharedStore(), TestClock())
        try await withHouse(store: store, key: SecretKey(current: Self.keys[0]), clock: clock) { first in
            try await first.until { try await store.nodes().count == 1 }
            let knowing = SecretKey(current: Self.keys[1], previous: Self.keys[0])
            for (key, count) in [(SecretKey(current: Self.keys[2]), 1), (knowing, 0)] {
                try await withHouse(store: store, key: key, clock: clock, logLevel: .debug) { second in
                    try await second.until { second.logs.lines.contains { $0.contains("node noted") } }
                    #expect(second.logs.lines(of: "node_key_unknown").count == count)
                }
            }
        }
    }
}

/// Carries something out of a house.
private final class Kept<Value: Sendable>: Sendable {
    private let held = Mutex<Value?>(nil)

    var value: Value? {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }
}
