import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import PasswordHashing
@testable import Vestibule

/// A request was not asked for a second factor, as the account had none when that was decided.
/// Before it writes, one is added.
@Suite(.closesStores, .timeLimit(.minutes(15)))
struct AbsentFactorTests {
    /// By session 1, whose request found none of those.
    private func change(lacking absent: FactorPresence) -> FactorChange {
        var renewal = Make.renewal(from: 1, to: 1, nil)
        renewal.absent = absent
        return Make.change(renewal: renewal)
    }

    @Test(arguments: Engine.allCases, StolenTokenTests.Write.allCases)
    func `nothing is written for its session`(engine: Engine, write: StolenTokenTests.Write) async throws {
        let store = try await engine.openWithFactors()
        for absent in [FactorPresence.key, .passkey] {
            await #expect(throws: Superseded.self) { try await write.run(1, lacking: absent, on: store) }
        }
        _ = try await store.removeKey(.totp, Make.change())
        try await write.run(2, lacking: .key, on: store)
    }

    @Test(arguments: Engine.allCases)
    func `it changes no factor and no password`(engine: Engine) async throws {
        let store = try await engine.openWithFactors()
        let before = try await store.factors(accountID: "a")
        let change = change(lacking: [.key, .passkey])
        await #expect(throws: Superseded.self) { try await store.setKey(Make.totp(lastStep: 99), change) }
        await #expect(throws: Superseded.self) { try await store.removeKey(.totp, change) }
        await #expect(throws: Superseded.self) {
            try await store.addPasskey(
                Make.passkey("q", credential: 7), userHandle: Array(repeating: 1, count: 64), once: [], change)
        }
        await #expect(throws: Superseded.self) { try await store.useForSecondStep(passkeyID: "p", change) }
        await #expect(throws: Superseded.self) {
            try await store.removePasskey(id: "p", inUse: Make.inUse(), change)
        }
        await #expect(throws: Superseded.self) {
            try await store.changePassword(
                PasswordHash(phc: "thief"), from: PasswordHash(phc: "phc"), accountID: "a",
                renewal: try #require(change.renewal), ways: .nothing, notice: Make.mail(),
                event: Make.event(.passwordChanged, account: "a"))
        }
        #expect(try await store.factors(accountID: "a") == before)
    }

    @Test(arguments: Engine.allCases)
    func `it finishes no change of the address`(engine: Engine) async throws {
        let store = try await engine.openWithFactors()
        let code = Make.pendingCode(flow: 40, email: "thief@x.example", code: 9)
        try await store.addPendingEmailChange(
            PendingEmailChange(code: code, accountID: "a"), by: Make.presented(), mail: Make.mail(),
            event: Make.event(.emailChangeRequested, account: "a"))
        let completion = EmailChangeCompletion(
            renewal: try #require(change(lacking: .key).renewal),
            undo: EmailUndoLink(
                token: Make.digest(50), accountID: "a", email: "ada@example.com", createdAt: Make.start,
                expiresAt: Make.start + 86_400),
            notice: Make.mail(), noticeOfReturn: Make.mail(),
            event: Make.event(.emailChanged, account: "a"), failuresKey: Make.key(1))
        await #expect(throws: Superseded.self) {
            try await store.completeEmailChange(
                flow: Make.digest(40), attempt: Make.attempt(9), completion: completion, now: Make.start)
        }
        #expect(try await store.account("a")?.email == "ada@example.com")
    }

    @Test(arguments: Engine.allCases)
    func `of two first factors at once one is added`(engine: Engine) async throws {
        let store = try await engine.open()
        _ = try await store.addAccount(Make.account("a", token: 1))
        let (first, second) = (change(lacking: [.key, .passkey]), change(lacking: [.key, .passkey]))
        let added = await withTaskGroup(of: Bool.self) { group in
            group.addTask { (try? await store.setKey(Make.totp(), first)) != nil }
            group.addTask {
                let passkey = Make.passkey("p")
                let handle = [UInt8](repeating: 1, count: 64)
                return (try? await store.addPasskey(passkey, userHandle: handle, once: [], second)) ?? false
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(added == 1)
    }

    @Test(arguments: Engine.allCases)
    func `recovery codes are kept beside a factor only`(engine: Engine) async throws {
        let store = try await engine.open()
        _ = try await store.addAccount(Make.account("a", token: 1))
        #expect(try await !store.setRecoveryCodes(Make.codes(Make.key32(1)), Make.change()))
        #expect(try await store.factors(accountID: "a") == AccountFactors())
        try await store.setKey(Make.totp(), Make.change())
        try await store.setRecoveryCodes(Make.codes(Make.key32(1)), Make.change())
        #expect(try await store.factors(accountID: "a").recoveryCodes?.left == 1)
    }
}
