import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import PasswordHashing
@testable import Vestibule

/// Logins that wait for their second step.
@Suite(.closesStores, .timeLimit(.minutes(15)))
struct PendingLoginStoreTests {
    @Test(arguments: Engine.allCases)
    func `a second step ends its flow with a session, once`(engine: Engine) async throws {
        let store = try await engine.openWithFactors()
        try await store.beginSecondStep(Make.pendingLogin(3))
        let waiting = try await store.pendingLogin(Make.digest(3), now: Make.start)
        #expect(waiting?.login == Make.pendingLogin(3) && waiting?.account.id == "a")
        #expect(waiting?.factors.offered == [.passkey, .totp, .recoveryCode])
        try await store.loginSucceeded(Make.success(3, step: 11))
        #expect(try await store.session(Make.digest(50)) != nil)
        #expect(try await store.pendingLogin(Make.digest(3), now: Make.start) == nil)
        await #expect(throws: Superseded.self) { try await store.loginSucceeded(Make.success(3, step: 12)) }
    }

    @Test(arguments: Engine.allCases)
    func `a used code leaves the flow as it was`(engine: Engine) async throws {
        let store = try await engine.openWithFactors()
        try await store.beginSecondStep(Make.pendingLogin(3))
        await #expect(throws: UsedBefore.self) { try await store.loginSucceeded(Make.success(3, step: 10)) }
        #expect(try await store.pendingLogin(Make.digest(3), now: Make.start) != nil)
        #expect(try await store.session(Make.digest(50)) == nil)
    }

    @Test(arguments: Engine.allCases)
    func `five tries a flow, counted before anything is compared`(engine: Engine) async throws {
        let store = try await engine.openWithFactors()
        try await store.beginSecondStep(Make.pendingLogin(3))
        for attempt in 1...5 {
            #expect(try await store.tryPendingLogin(Make.digest(3), claims: [], now: Make.start) == attempt)
        }
        #expect(try await store.tryPendingLogin(Make.digest(3), claims: [], now: Make.start) == nil)
        #expect(try await store.pendingLogin(Make.digest(3), now: Make.start)?.login.attempts == 5)
    }

    @Test(arguments: Engine.allCases)
    func `a try and its claims are taken together or not at all`(engine: Engine) async throws {
        let store = try await engine.openWithFactors()
        try await store.beginSecondStep(Make.pendingLogin(3))
        let claim = LimitClaim(key: Array(repeating: 7, count: 16), interval: 50_000, burst: 100_000)
        func tryOnce() async throws -> Int? {
            try await store.tryPendingLogin(Make.digest(3), claims: [claim], now: Make.start)
        }
        #expect(try await tryOnce() == 1)
        #expect(try await tryOnce() == 2)
        await #expect(throws: LimitRefusal(key: claim.key, until: Make.start + 50)) { try await tryOnce() }
        #expect(try await store.pendingLogin(Make.digest(3), now: Make.start)?.login.attempts == 2)
    }

    @Test(arguments: Engine.allCases)
    func `a flow ends in time, with the account, and with another password`(engine: Engine) async throws {
        let store = try await engine.openWithFactors()
        try await store.beginSecondStep(Make.pendingLogin(3))
        #expect(try await store.pendingLogin(Make.digest(3), now: Make.start + 600) == nil)
        #expect(try await store.tryPendingLogin(Make.digest(3), claims: [], now: Make.start + 600) == nil)
        await #expect(throws: Superseded.self) {
            try await store.loginSucceeded(Make.success(3, step: 11, at: Make.start + 600))
        }
        try await store.beginSecondStep(Make.pendingLogin(4, hash: "another"))
        await #expect(throws: Superseded.self) { try await store.loginSucceeded(Make.success(4, step: 11)) }
        await #expect(throws: Superseded.self) {
            try await store.beginSecondStep(Make.pendingLogin(5), proved: PasswordHash(phc: "another"))
        }
        #expect(try await store.disableAccount(id: "a", event: Make.event(.login, account: "a")))
        #expect(try await store.pendingLogin(Make.digest(3), now: Make.start) == nil)
    }

    @Test(arguments: Engine.allCases, RemovedProof.allCases)
    func `what began with something that is removed meanwhile ends with it`(
        engine: Engine, removed: RemovedProof
    ) async throws {
        let store = try await engine.openWithFactors()
        try await RemovedProof.addIdentity(to: store)
        let flows: [FirstFactor: UInt8] = [.password: 3, .provider: 4, .passkey: 5]
        for (proof, flow) in flows { try await store.beginSecondStep(Make.pendingLogin(flow, by: proof)) }
        try await removed.happen(in: store)
        for (proof, flow) in flows {
            let waits = try await store.pendingLogin(Make.digest(flow), now: Make.start) != nil
            #expect(waits == (proof != removed.proof), "\(proof)")
        }
    }

    @Test(arguments: Engine.allCases)
    func `none begins with an identity that is gone`(engine: Engine) async throws {
        let store = try await engine.open()
        _ = try await store.addAccount(Make.account("a"))
        let identity = IdentityUse(id: "gone", provider: "example", refreshToken: nil, once: Make.once(1))
        await #expect(throws: Superseded.self) {
            try await store.beginSecondStep(Make.pendingLogin(5), identity: identity)
        }
        #expect(try await store.pendingLogin(Make.digest(5), now: Make.start) == nil)
    }
}

/// What a first step was proved by, and goes before the second one.
enum RemovedProof: CaseIterable, Sendable {
    case identity, revokedIdentity, passkey

    fileprivate var proof: FirstFactor { self == .passkey ? .passkey : .provider }

    fileprivate static func addIdentity(to store: any Store) async throws {
        let identity = Identity(
            id: "i", accountID: "a", provider: "example", issuer: "https://i", subject: "s", email: nil,
            createdAt: Make.start)
        let isLinked = try await store.link(
            LinkedIdentity(identity: identity, refreshToken: nil), by: Make.presented(), once: nil,
            Make.change(.identityLinked))
        #expect(isLinked)
    }

    fileprivate func happen(in store: any Store) async throws {
        switch self {
        case .identity:
            let removal = try await store.unlink(
                id: "i", by: Make.presented(), inUse: Make.inUse("example"), Make.change(.identityUnlinked))
            #expect(removal != .unknown && removal != .lastWay)
        case .revokedIdentity:
            try await store.revokeIdentity(
                id: "i", once: Make.once(9), notice: Make.mail(), event: Make.event(.identityUnlinked, account: "a"))
        case .passkey:
            let removal = try await store.removePasskey(
                id: "p", inUse: Make.inUse(), Make.change(.passkeyRemoved))
            #expect(removal == .removed)
        }
    }
}
