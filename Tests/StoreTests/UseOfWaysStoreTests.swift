import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// When ways into an account were added, and last used.
@Suite(.closesStores)
struct UseOfWaysStoreTests {
    private func success(
        _ number: UInt8, at seconds: TimeInterval = 0, by proof: FirstFactor = .password,
        identity: IdentityUse? = nil
    ) -> StoredLogin {
        let session = Make.session(number, account: "a", at: Make.start.addingTimeInterval(seconds), provedBy: proof)
        return StoredLogin(
            session: session, failuresKey: nil, events: [Make.event(.login, account: "a")], identity: identity)
    }

    private func overview(_ store: any Store) async throws -> AccountOverview {
        try await store.accountOverview(accountID: "a", events: 0, now: Make.start)
    }

    @Test(arguments: Engine.allCases)
    func `a password was set with the account and used at the last login with it`(engine: Engine) async throws {
        let store = try await engine.open()
        _ = try await store.addAccount(Make.account("a"))
        #expect(try await overview(store).password == PasswordTimes(setAt: Make.start, lastUsedAt: nil))
        try await store.loginSucceeded(success(2, at: 60))
        try await store.loginSucceeded(success(3, at: 300, by: .passkey))
        let used = Make.start.addingTimeInterval(60)
        #expect(try await overview(store).password == PasswordTimes(setAt: Make.start, lastUsedAt: used))
        let password = try #require(try await store.export(accountID: "a", now: Make.start)?.overview.password)
        #expect(password.setAt == Make.start && password.lastUsedAt == used)
    }

    @Test(arguments: Engine.allCases)
    func `twenty logins at once are one use of the password`(engine: Engine) async throws {
        let store = try await engine.open()
        _ = try await store.addAccount(Make.account("a"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 2...21 { group.addTask { try await store.loginSucceeded(success(UInt8(number), at: 60)) } }
            try await group.waitForAll()
        }
        #expect(try await overview(store).password?.lastUsedAt == Make.start.addingTimeInterval(60))
    }

    @Test(arguments: Engine.allCases)
    func `an identity was used at the last sign-in that began with it`(engine: Engine) async throws {
        let store = try await engine.open()
        let identity = Identity(
            id: "i", accountID: "a", provider: "example", issuer: "https://i", subject: "s", email: nil,
            createdAt: Make.start)
        let new = LinkedIdentity(identity: identity, refreshToken: [1])
        _ = try await store.addAccount(Make.account("a"), identity: new, once: nil)
        #expect(try await overview(store).identities.map(\.lastUsedAt) == [nil])
        func use(_ number: UInt8) -> IdentityUse {
            IdentityUse(id: "i", provider: "renamed", refreshToken: nil, once: Make.once(number))
        }
        try await store.loginSucceeded(success(2, at: 60, by: .provider, identity: use(1)))
        #expect(try await overview(store).identities.map(\.lastUsedAt) == [Make.start.addingTimeInterval(60)])
        #expect(try await overview(store).identities.map(\.provider) == ["renamed"])
        // A second step follows.
        let waiting = Make.pendingLogin(3, at: Make.start.addingTimeInterval(90))
        try await store.beginSecondStep(waiting, identity: use(2))
        #expect(try await overview(store).identities.map(\.lastUsedAt) == [Make.start.addingTimeInterval(90)])
        #expect(try await store.linkedIdentities(accountID: "a").map(\.refreshToken) == [[1]])
        let export = try await store.export(accountID: "a", now: Make.start)
        #expect(export?.overview.identities.map(\.lastUsedAt) == [Make.start.addingTimeInterval(90)])
    }
}
