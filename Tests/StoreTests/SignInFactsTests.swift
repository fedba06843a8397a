import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import PasswordHashing
@testable import Vestibule

/// What is read of an account after a right password, and what a login leaves out because of it.
@Suite(.timeLimit(.minutes(15)))
struct SignInFactsTests {
    private func open(_ engine: Engine) async throws -> any Store {
        let store = try await engine.open()
        #expect(try await store.addAccount(Make.account("a", token: 1)))
        #expect(try await store.addAccount(Make.account("b", email: "b@example.com", token: 2)))
        return store
    }

    private func logIn(
        _ token: UInt8, failuresKey: [UInt8]? = nil, hasRoom: Bool = true, rehashes: Bool = false, _ store: any Store
    ) async throws {
        let at = Make.start + Double(token)
        let success = LoginSuccess(
            session: Make.session(token, account: "a", at: at), failuresKey: failuresKey, returned: [],
            proved: PasswordHash(phc: "phc"), rehash: rehashes ? PasswordHash(phc: "phc") : nil,
            events: [Make.event(.login, account: "a", at: at)], hasRoom: hasRoom)
        try await store.loginSucceeded(success)
    }

    @Test(arguments: Engine.allCases)
    func `factors that may be asked for are those of the account that count`(engine: Engine) async throws {
        let store = try await open(engine)
        let handle = [UInt8](repeating: 1, count: 64)
        func factors() async throws -> Set<SecondFactor> { try await store.signInFacts(accountID: "a").secondFactors }
        try await store.setTOTP(Make.totp(), Make.change(of: "b"))
        _ = try await store.addPasskey(
            Make.passkey("p", credential: 1, counts: false), userHandle: handle, once: Make.once(1), Make.change())
        #expect(try await factors() == [])
        _ = try await store.addPasskey(
            Make.passkey("q", credential: 2), userHandle: handle, once: Make.once(2), Make.change())
        #expect(try await factors() == [.passkey])
        try await store.setTOTP(Make.totp(), Make.change())
        #expect(try await factors() == [.passkey, .totp])
    }

    @Test(arguments: Engine.allCases, [false, true])
    func `the oldest session ends when there was no room`(engine: Engine, rehashes: Bool) async throws {
        let store = try await open(engine)
        func count() async throws -> Int { try await store.sessions(accountID: "a", now: Make.start).count }
        let most = UInt8(Session.mostPerAccount)
        // The account was made with one.
        for token in 11..<(10 + most) {
            #expect(try await !store.signInFacts(accountID: "a").hasMostSessions)
            try await logIn(token, rehashes: rehashes, store)
        }
        #expect(try await store.signInFacts(accountID: "a").hasMostSessions)
        #expect(try await !store.signInFacts(accountID: "b").hasMostSessions)
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
}
