import Crypto
import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Essentials
@testable import Serving
@testable import Vestibule

/// A new `VESTIBULE_SECRET_KEY`, with the one before as `VESTIBULE_SECRET_KEY_PREVIOUS`.
@Suite(.timeLimit(.minutes(15)))
struct KeyRotationTests {
    private let before = SecretKey(current: SymmetricKey(data: [UInt8](repeating: 1, count: 32)))
    private let after = SecretKey(
        current: SymmetricKey(data: [UInt8](repeating: 2, count: 32)),
        previous: SymmetricKey(data: [UInt8](repeating: 1, count: 32)))
    private let email = "ada@example.com"

    @Test func `what was begun under the old key goes on under the new one`() async throws {
        let (store, clock) = try await (sharedStore(), TestClock())
        let (email, after) = (email, after)
        let (member, fresh) = (Box<[String: String]>(), Box<[String: String]>())
        let code = Box<String>()
        try await withHouse(store: store, key: before, clock: clock) { house in
            member.value = try await house.member(email).cookies
            let visitor = house.visitor(at: "192.0.2.9")
            try await visitor.signUp(email: "bob@example.com")
            code.value = try await house.mailbox.code(for: "bob@example.com")
            fresh.value = await visitor.cookies
        }
        try await withHouse(store: store, key: after, clock: clock) { house in
            // A sign-up that waits for its code: the digest of the code.
            let bob = house.visitor(at: "192.0.2.9")
            for (name, value) in fresh.value ?? [:] { await bob.set(name, value) }
            let typed = try await bob.type(code: code.value ?? "")
            #expect(typed.status == .seeOther)
            // The session, its form token, and the browser that is known.
            let ada = house.visitor()
            for (name, value) in member.value ?? [:] { await ada.set(name, value) }
            #expect(try await ada.isSignedIn())
            #expect(try await ada.logOut().status == .seeOther)
            #expect(try await ada.logIn(email: email).status == .seeOther)
            #expect(try await house.events(of: email).first?.kind == .login)
        }
    }
}

/// Carries something from one house to the next.
private final class Box<Value: Sendable>: Sendable {
    private let held = Mutex<Value?>(nil)

    var value: Value? {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }
}
