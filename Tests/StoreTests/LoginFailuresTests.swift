import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import PasswordHashing
@testable import Vestibule

/// A right password, and failures that are counted before its session is stored.
@Suite(.closesStores, .timeLimit(.minutes(15)))
struct LoginFailuresTests {
    private static let hash = PasswordHash(phc: "phc")

    /// Starts a session; with `rehashes` by the general transaction instead of `PlainLogin`.
    private func logIn(_ token: UInt8, limitedBy: [UInt8]?, rehashes: Bool, _ store: any Store) async throws {
        try await store.loginSucceeded(
            StoredLogin(
                session: Make.session(token, account: "a"), failuresKey: nil, limitedBy: limitedBy, proved: Self.hash,
                rehash: rehashes ? Self.hash : nil, events: [Make.event(.login, account: "a")]))
    }

    private static let cases = Engine.allCases.flatMap { engine in [false, true].map { (engine, $0) } }

    @Test(arguments: cases)
    func `after the hundredth failure no session and no second step begins`(engine: Engine, rehashes: Bool) async throws
    {
        let store = try await engine.open()
        #expect(try await store.addAccount(Make.account("a", token: 1)))
        let failure = Make.event(.loginFailed, account: "a")
        for _ in 1...99 { try await store.loginFailed(failuresKey: Make.key(1), event: failure) }
        try await logIn(10, limitedBy: Make.key(1), rehashes: rehashes, store)
        try await store.beginSecondStep(Make.pendingLogin(40), proved: Self.hash, limitedBy: Make.key(1))
        try await store.loginFailed(failuresKey: Make.key(1), event: failure)
        await #expect(throws: Superseded.self) {
            try await logIn(11, limitedBy: Make.key(1), rehashes: rehashes, store)
        }
        await #expect(throws: Superseded.self) {
            try await store.beginSecondStep(Make.pendingLogin(41), proved: Self.hash, limitedBy: Make.key(1))
        }
        #expect(try await store.session(Make.digest(11)) == nil)
        #expect(try await store.pendingLogin(Make.digest(41), now: Make.start) == nil)
        // The browser is known.
        try await logIn(12, limitedBy: nil, rehashes: rehashes, store)
        // Those of another address.
        try await logIn(13, limitedBy: Make.key(2), rehashes: rehashes, store)
    }

    @Test(arguments: Engine.allCases)
    func `a login that comes to nothing forgets no failures`(engine: Engine) async throws {
        let store = try await engine.open()
        #expect(try await store.addAccount(Make.account("a", token: 1)))
        let failure = Make.event(.loginFailed, account: "a")
        for _ in 1...100 { try await store.loginFailed(failuresKey: Make.key(1), event: failure) }
        let login = StoredLogin(
            session: Make.session(11, account: "a"), failuresKey: Make.key(1), limitedBy: Make.key(1),
            events: [Make.event(.login, account: "a")], hasRoom: true)
        await #expect(throws: Superseded.self) { try await store.loginSucceeded(login) }
        let record = try await store.loginRecord(emailKey: "ada@example.com", failuresKey: Make.key(1))
        #expect(record.failuresInARow == 100)
    }
}
