import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import PasswordHashing
@testable import Vestibule

/// A login without a second step, and a factor that is added before its session is stored.
@Suite(.closesStores, .timeLimit(.minutes(15)))
struct LoginFactorTests {
    /// Begins a session; with a new hash it writes more than one alone.
    private func logIn(_ token: UInt8, without absent: FactorPresence, rehashes: Bool, _ store: any Store)
        async throws -> Bool
    {
        let success = StoredLogin(
            session: Make.session(token, account: "a"), failuresKey: Make.key(1), returned: [],
            proved: PasswordHash(phc: "phc"), rehash: rehashes ? PasswordHash(phc: "phc") : nil,
            events: [Make.event(.login, account: "a")], absent: absent)
        do {
            try await store.loginSucceeded(success)
            return true
        } catch is Superseded {
            #expect(try await store.session(Make.digest(token)) == nil)
            return false
        }
    }

    private static let cases = Engine.allCases.flatMap { engine in [false, true].map { (engine, $0) } }

    @Test(arguments: cases)
    func `a factor that was added meanwhile is asked for`(engine: Engine, rehashes: Bool) async throws {
        let store = try await engine.open()
        #expect(try await store.addAccount(Make.account("a", token: 1)))
        #expect(try await store.addAccount(Make.account("b", email: "b@example.com", token: 2)))
        try await store.setKey(Make.totp(), Make.change(of: "b"))
        let handle = [UInt8](repeating: 1, count: 64)
        func add(_ passkey: Passkey, _ number: UInt8) async throws {
            _ = try await store.addPasskey(passkey, userHandle: handle, once: [Make.once(number)], Make.change())
        }
        try await add(Make.passkey("p", credential: 1, counts: false), 1)
        #expect(try await logIn(10, without: [.key, .passkey], rehashes: rehashes, store))
        try await store.setKey(Make.totp(), Make.change())
        #expect(try await !logIn(11, without: [.key, .passkey], rehashes: rehashes, store))
        #expect(try await !logIn(12, without: [.key], rehashes: rehashes, store))
        // The browser is trusted.
        #expect(try await logIn(13, without: [], rehashes: rehashes, store))
        #expect(try await store.removeKey(.totp, Make.change()))
        try await add(Make.passkey("q", credential: 2), 2)
        #expect(try await !logIn(14, without: [.key, .passkey], rehashes: rehashes, store))
        // Passkeys are off.
        #expect(try await logIn(15, without: [.key], rehashes: rehashes, store))
    }
}
