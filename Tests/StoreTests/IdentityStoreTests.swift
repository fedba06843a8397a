import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

@Suite(.closesStores)
struct IdentityStoreTests {
    private func identity(_ id: String = "i1", account: AccountID = "a", subject: String = "s") -> LinkedIdentity {
        LinkedIdentity(
            identity: Identity(
                id: id, accountID: account, provider: "example", issuer: "https://i", subject: subject,
                email: "ada@example.com", createdAt: Make.start
            ),
            refreshToken: [1, 2]
        )
    }

    private func once(_ number: UInt8) -> Once {
        Once(digest: Make.digest(number), until: Make.start.addingTimeInterval(60))
    }

    /// By the session `Make.account` has made.
    private func link(_ new: LinkedIdentity, _ store: any Store, session: UInt8 = 1) async throws -> Bool {
        try await store.link(
            new, by: Make.presented(session, account: new.identity.accountID), once: nil,
            Make.change(.identityLinked, of: new.identity.accountID))
    }

    private func unlink(
        _ id: String, of account: AccountID, inUse: WaysInUse = Make.inUse("example"), _ store: any Store
    ) async throws -> IdentityRemoval {
        try await store.unlink(
            id: id, by: Make.presented(account == "b" ? 2 : 1, account: account), inUse: inUse,
            Make.change(.identityUnlinked, of: account))
    }

    @Test(arguments: Engine.allCases)
    func `something is used once, also by twenty at a time, and may be again when it is forgotten`(
        engine: Engine
    ) async throws {
        let store = try await engine.open()
        let wins = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 {
                group.addTask { try await store.use(once(1)) }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(wins == 1)
        try await store.purge(PurgeBounds(now: Make.start.addingTimeInterval(61), keepEventsSince: Make.start))
        #expect(try await store.use(once(1)))
    }

    @Test(arguments: Engine.allCases)
    func `account and identity are made together or not at all`(engine: Engine) async throws {
        let store = try await engine.open()
        let first = try await store.addAccount(Make.account("a"), identity: identity(), once: nil)
        let sameIdentity = try await store.addAccount(
            Make.account("b", email: "b@example.com", token: 2), identity: identity("i2", account: "b"), once: nil)
        let sameAddress = try await store.addAccount(
            Make.account("c", token: 3), identity: identity("i3", account: "c", subject: "t"), once: nil)
        #expect(first == .created && sameIdentity == .identityTaken && sameAddress == .emailTaken)
        let found = try await store.identity(issuer: "https://i", subject: "s")
        #expect(found?.account.id == "a" && found?.identity == identity().identity)
        #expect(try await store.identity(issuer: "https://i", subject: "t")?.account == nil)
        #expect(try await store.identity(issuer: "https://j", subject: "s")?.account == nil)
        #expect(try await store.session(Make.digest(2)) == nil)
    }

    @Test(arguments: Engine.allCases)
    func `an identity is linked once and removed by its owner only`(engine: Engine) async throws {
        let store = try await engine.open()
        _ = try await store.addAccount(Make.account("a"))
        _ = try await store.addAccount(Make.account("b", email: "b@example.com", token: 2))
        #expect(try await link(identity(), store))
        #expect(try await !link(identity("i2", account: "b"), store, session: 2))
        #expect(try await unlink("i1", of: "b", store) == .unknown)
        #expect(try await store.linkedIdentities(accountID: "a").map(\.refreshToken) == [[1, 2]])
        #expect(try await unlink("i1", of: "a", store) == .removed(identity()))
        #expect(try await unlink("i1", of: "a", store) == .unknown)
    }

    @Test(arguments: Engine.allCases)
    func `the last way in is not removed, a revoked one is, with every session`(engine: Engine) async throws {
        let store = try await engine.open()
        let made = Make.account("a")
        let without = NewAccount(
            account: made.account, passwordHash: nil, consent: made.consent,
            session: made.session, events: made.events
        )
        _ = try await store.addAccount(without, identity: identity(), once: nil)
        #expect(try await unlink("i1", of: "a", store) == .lastWay)
        #expect(try await link(identity("i2", subject: "t"), store))
        let event = Make.event(.identityUnlinked, account: "a")
        try await store.revokeIdentity(id: "i1", once: once(1), notice: Make.mail("told"), event: event)
        #expect(try await store.session(Make.digest(1)) == nil)
        let overview = try await store.accountOverview(accountID: "a", events: 50, now: Make.start)
        #expect(overview.identities.map(\.id) == ["i2"] && !overview.hasPassword)
        let export = try await store.export(accountID: "a", now: Make.start)
        #expect(export?.overview.identities.count == 1)
    }

    @Test(arguments: Engine.allCases)
    func `an identity or a session that has ended lets nobody in and adds nothing`(engine: Engine) async throws {
        let store = try await engine.open()
        _ = try await store.addAccount(Make.account("a"))
        await #expect(throws: Superseded.self) { try await link(identity(), store, session: 9) }
        #expect(try await link(identity(), store))
        let event = Make.event(.identityUnlinked, account: "a")
        try await store.revokeIdentity(id: "i1", once: once(1), notice: Make.mail(), event: event)
        let success = StoredLogin(
            session: Make.session(5, account: "a"), failuresKey: [1],
            identity: IdentityUse(id: "i1", provider: "example", refreshToken: nil, once: once(2)))
        await #expect(throws: Superseded.self) { try await store.loginSucceeded(success) }
        #expect(try await store.session(Make.digest(5)) == nil)
    }

    @Test(arguments: Engine.allCases)
    func `what is used is used up only with what it was used for`(engine: Engine) async throws {
        let store = try await engine.open()
        _ = try await store.addAccount(Make.account("a"))
        let taken = try await store.addAccount(
            Make.account("c", token: 3), identity: identity("i3", account: "c", subject: "t"), once: once(1))
        #expect(taken == .emailTaken)
        let other = Make.account("b", email: "b@example.com", token: 2)
        let made = try await store.addAccount(other, identity: identity("i2", account: "b"), once: once(1))
        #expect(made == .created)
        await #expect(throws: UsedBefore.self) {
            let third = Make.account("d", email: "d@example.com", token: 4)
            _ = try await store.addAccount(
                third, identity: identity("i4", account: "d", subject: "u"), once: once(1))
        }
        #expect(try await store.session(Make.digest(4)) == nil)
    }

    @Test(arguments: Engine.allCases)
    func `a way through a provider that is gone is no way in`(engine: Engine) async throws {
        let store = try await engine.open()
        let made = Make.account("a")
        let without = NewAccount(
            account: made.account, passwordHash: nil, consent: made.consent,
            session: made.session, events: made.events
        )
        _ = try await store.addAccount(without, identity: identity(), once: nil)
        #expect(try await link(identity("i2", subject: "t"), store))
        #expect(try await unlink("i1", of: "a", inUse: Make.inUse("another"), store) == .lastWay)
        #expect(try await unlink("i1", of: "a", store) == .removed(identity()))
    }

    @Test(arguments: Engine.allCases)
    func `a passkey is no way in where passkeys are off`(engine: Engine) async throws {
        let store = try await engine.open()
        _ = try await store.addAccount(Make.accountWithoutPassword("a", token: 1))
        #expect(try await link(identity(), store))
        _ = try await store.addPasskey(
            Make.passkey("p"), userHandle: Array(repeating: 1, count: 64), once: [], Make.change())
        let off = WaysInUse(providers: ["example"], passkeys: false)
        #expect(try await unlink("i1", of: "a", inUse: off, store) == .lastWay)
        #expect(try await unlink("i1", of: "a", store) == .removed(identity()))
    }
}
