import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import PasswordHashing
@testable import Vestibule

/// What is read of an account after a right password, and what a login leaves out because of it.
@Suite(.closesStores, .timeLimit(.minutes(15)))
struct SignInFactsTests {
    private func open(_ engine: Engine) async throws -> any Store {
        let store = try await engine.open()
        #expect(try await store.addAccount(Make.account("a", token: 1)))
        #expect(try await store.addAccount(Make.account("b", email: "b@example.com", token: 2)))
        return store
    }

    private func logIn(
        _ token: UInt8, failuresKey: [UInt8]? = nil, returned: [LimitClaim] = [], hasRoom: Bool = true,
        rehashes: Bool = false, _ store: any Store
    ) async throws {
        let at = Make.start + Double(token)
        let success = StoredLogin(
            session: Make.session(token, account: "a", at: at), failuresKey: failuresKey, returned: returned,
            proved: PasswordHash(phc: "phc"), rehash: rehashes ? PasswordHash(phc: "phc") : nil,
            events: [Make.event(.login, account: "a", at: at)], hasRoom: hasRoom)
        try await store.loginSucceeded(success)
    }

    @Test(arguments: Engine.allCases)
    func `factors that may be asked for are those of the account that count`(engine: Engine) async throws {
        let store = try await open(engine)
        let handle = [UInt8](repeating: 1, count: 64)
        func factors() async throws -> FactorPresence { try await store.signInFacts(accountID: "a").secondFactors }
        try await store.setKey(Make.totp(), Make.change(of: "b"))
        _ = try await store.addPasskey(
            Make.passkey("p", credential: 1, counts: false), userHandle: handle, once: [Make.once(1)], Make.change())
        #expect(try await factors() == [])
        _ = try await store.addPasskey(
            Make.passkey("q", credential: 2), userHandle: handle, once: [Make.once(2)], Make.change())
        #expect(try await factors() == [.passkey])
        try await store.setKey(Make.totp(), Make.change())
        #expect(try await factors() == [.passkey, .key])
    }

    @Test(arguments: Engine.allCases, [false, true])
    func `the oldest session ends when there was no room`(engine: Engine, rehashes: Bool) async throws {
        let store = try await open(engine)
        func count() async throws -> Int { try await store.sessions(accountID: "a", now: Make.start).count }
        func hasRoom() async throws -> Bool { try await store.signInFacts(accountID: "a").hasRoom }
        let most = UInt8(Session.mostPerAccount), enough = most - UInt8(Session.roomToSpare)
        // The account was made with one.
        for token in 11..<(10 + most) {
            #expect(try await hasRoom() == (token <= 10 + enough))
            try await logIn(token, rehashes: rehashes, store)
        }
        #expect(try await !hasRoom())
        #expect(try await store.signInFacts(accountID: "b").hasRoom)
        try await logIn(10 + most, rehashes: rehashes, store)
        #expect(try await count() == Session.mostPerAccount + 1)
        try await logIn(11 + most, hasRoom: false, rehashes: rehashes, store)
        #expect(try await count() == Session.mostPerAccount)
        #expect(try await store.session(Make.digest(1)) == nil)
        #expect(try await store.session(Make.digest(11)) == nil)
        #expect(try await store.session(Make.digest(11 + most)) != nil)
    }

    @Test(arguments: Engine.allCases, [false, true])
    func `failures in a row end only with their key`(engine: Engine, rehashes: Bool) async throws {
        let store = try await open(engine)
        func failures() async throws -> Int {
            try await store.loginRecord(emailKey: "ada@example.com", failuresKey: Make.key(1)).failuresInARow
        }
        try await store.loginFailed(failuresKey: Make.key(1), event: Make.event(.loginFailed, account: "a"))
        try await logIn(11, rehashes: rehashes, store)
        #expect(try await failures() == 1)
        try await logIn(12, failuresKey: Make.key(1), rehashes: rehashes, store)
        #expect(try await failures() == 0)
    }

    @Test(arguments: Engine.allCases, [nil, Make.key(1)])
    func `a right password gives back what it took of a limit`(engine: Engine, failuresKey: [UInt8]?) async throws {
        let store = try await open(engine)
        let claim = LimitClaim(key: Make.key(7), interval: 1000, burst: 1000)
        #expect(try await store.take([claim], now: Make.start) == nil)
        #expect(try await store.take([claim], now: Make.start) != nil)
        try await logIn(11, failuresKey: failuresKey, returned: [claim], store)
        #expect(try await store.take([claim], now: Make.start) == nil)
    }
}
