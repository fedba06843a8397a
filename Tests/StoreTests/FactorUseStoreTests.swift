import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import PasswordHashing
@testable import Vestibule

@Suite(.closesStores, .timeLimit(.minutes(15)))
struct FactorUseStoreTests {
    private func prove(_ use: FactorUse, _ store: any Store, at now: Date = Make.start + 5) async throws {
        let session = try await store.accountOverview(accountID: "a", events: 0, now: Make.start).sessions[0]
        let renewal = SessionRenewal(
            sessionID: session.id, replaces: Make.digest(1), tokenDigest: Make.digest(1),
            proof: Session.Proof(at: now, secondFactor: use.factor))
        try await store.prove(
            use, renewal, accountID: "a", events: [Make.event(.proved, account: "a", at: now)],
            mails: [])
    }

    @Test(arguments: Engine.allCases)
    func `a time step works once, and none before it`(engine: Engine) async throws {
        let store = try await engine.openWithFactors()
        try await prove(Make.totpUse(11), store)
        for step in [11, 10, 3] as [Int64] {
            await #expect(throws: UsedBefore.self) { try await prove(Make.totpUse(step), store) }
        }
        try await prove(Make.totpUse(12), store)
        let totp = try await store.factors(accountID: "a").totp
        #expect(totp?.counter == 12 && totp?.lastUsedAt == Make.start + 5)
        #expect(try await store.session(Make.digest(1))?.session.proof.secondFactor == .totp)
    }

    @Test(arguments: Engine.allCases)
    func `a recovery code works once`(engine: Engine) async throws {
        let store = try await engine.openWithFactors()
        try await prove(.code(digest: Make.key32(2), of: .recoveryCode), store)
        #expect(try await store.factors(accountID: "a").recoveryCodes?.left == 1)
        for digest in [Make.key32(2), Make.key32(9)] {
            await #expect(throws: UsedBefore.self) { try await prove(.code(digest: digest, of: .recoveryCode), store) }
        }
        #expect(try await store.factors(accountID: "a").recoveryCodes?.left == 1)
    }

    @Test(arguments: Engine.allCases)
    func `a passkey's use notes what the authenticator said, once for a challenge`(engine: Engine) async throws {
        let store = try await engine.openWithFactors()
        let use = PasskeyUse(
            id: "p", signatureCount: 3, backup: PasskeyBackup(isEligible: true, isBackedUp: true), once: Make.once(2))
        try await prove(.passkey(use), store)
        let passkey = try await store.factors(accountID: "a").passkeys[0]
        #expect(
            passkey.credential.signatureCount == 3 && passkey.credential.backup.isBackedUp
                && passkey.lastUsedAt == Make.start + 5)
        await #expect(throws: UsedBefore.self) { try await prove(.passkey(use), store) }
        let gone = PasskeyUse(id: "gone", signatureCount: 3, backup: use.backup, once: Make.once(3))
        await #expect(throws: UsedBefore.self) { try await prove(.passkey(gone), store) }
    }

    @Test(arguments: Engine.allCases)
    func `a step of a key that another one has replaced does not count`(engine: Engine) async throws {
        let store = try await engine.openWithFactors()
        let other = FactorKey(.totp, sealed: [7], counter: 10, createdAt: Make.start + 1)
        try await store.setKey(other, Make.change())
        await #expect(throws: UsedBefore.self) { try await prove(Make.totpUse(11), store) }
        try await prove(.counter(11, of: .totp, madeAt: other.createdAt), store)
    }

    @Test(arguments: Engine.allCases)
    func `of twenty uses of one code at once, one wins`(engine: Engine) async throws {
        let store = try await engine.openWithFactors()
        for use in [Make.totpUse(30), .code(digest: Make.key32(1), of: .recoveryCode)] {
            let wins = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        do {
                            try await prove(use, store)
                            return true
                        } catch is UsedBefore {
                            return false
                        }
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(wins == 1)
        }
    }

    private func hold(_ number: UInt8, until seconds: TimeInterval, in store: any Store) async throws {
        try await store.hold(
            HeldForm(
                digest: Make.digest(number), session: Make.presented(), sealed: [number],
                expiresAt: Make.start + seconds))
    }

    @Test(arguments: Engine.allCases)
    func `a held form is taken once, by its session, in time`(engine: Engine) async throws {
        let store = try await engine.openWithFactors()
        for number in 1...3 as ClosedRange<UInt8> { try await hold(number, until: 600, in: store) }
        #expect(try await store.takeHeldForm(Make.digest(1), sessionID: "session-2", now: Make.start) == nil)
        #expect(try await store.takeHeldForm(Make.digest(1), sessionID: "session-1", now: Make.start) == [1])
        #expect(try await store.takeHeldForm(Make.digest(1), sessionID: "session-1", now: Make.start) == nil)
        #expect(try await store.takeHeldForm(Make.digest(2), sessionID: "session-1", now: Make.start + 600) == nil)
        for number in 10...21 as ClosedRange<UInt8> {
            try await hold(number, until: 600 + Double(number), in: store)
        }
        #expect(try await store.takeHeldForm(Make.digest(3), sessionID: "session-1", now: Make.start) == nil)
        #expect(try await store.takeHeldForm(Make.digest(12), sessionID: "session-1", now: Make.start) == [12])
    }

    @Test(arguments: Engine.allCases)
    func `a new token ends the forms that wait, but for the one it was proved for`(engine: Engine) async throws {
        let store = try await engine.openWithFactors()
        for number in 1...3 as ClosedRange<UInt8> { try await hold(number, until: 600, in: store) }
        func isHeld(_ number: UInt8) async throws -> Bool {
            try await store.takeHeldForm(Make.digest(number), sessionID: "session-1", now: Make.start) != nil
        }
        var renewal = Make.renewal(from: 1, to: 1)
        renewal.heldForm = Make.digest(2)
        try await store.renewSession(renewal, event: Make.event(.proved, account: "a"))
        #expect(try await !isHeld(1))
        #expect(try await isHeld(2))
        #expect(try await !isHeld(3))
    }

    @Test(arguments: Engine.allCases)
    func `an asked removal takes everything when it is due, unless a factor was used`(engine: Engine) async throws {
        let store = try await engine.openWithFactors()
        let due = Make.start + 100
        func ask() async throws -> Bool {
            try await store.askFactorRemoval(
                accountID: "a", at: Make.start, due: due, notice: Make.mail(), event: Make.event(.login, account: "a"))
        }
        func remove(_ due: Date?) async throws -> Bool {
            try await store.removeFactors(
                accountID: "a", due: due, notice: Make.mail(), event: Make.event(.login, account: "a"))
        }
        #expect(try await ask())
        #expect(try await store.factors(accountID: "a").removalDueAt == due)
        #expect(try await store.dueFactorRemovals(now: due - 1).isEmpty)
        #expect(try await store.dueFactorRemovals(now: due).map(\.account.id) == ["a"])
        try await prove(Make.totpUse(40), store)
        #expect(try await store.dueFactorRemovals(now: due).isEmpty)
        #expect(try await !remove(due))
        #expect(try await ask())
        #expect(try await remove(due))
        #expect(try await !remove(due))
        let left = try await store.factors(accountID: "a")
        #expect(left.passkeys.isEmpty && left.totp == nil && left.recoveryCodes == nil && left.removalDueAt == nil)
        #expect(try await !ask())
        #expect(try await !remove(nil))
    }

    /// It takes the password alone to make one.
    @Test(arguments: Engine.allCases)
    func `a passkey that is no second factor ends neither the count of wrong ones nor a removal`(
        engine: Engine
    ) async throws {
        let store = try await engine.openWithFactors()
        let silent = Make.passkey("silent", credential: 2, counts: false)
        let isAdded = try await store.addPasskey(
            silent, userHandle: [UInt8](repeating: 1, count: 64), once: [], Make.change())
        #expect(isAdded)
        let isAsked = try await store.askFactorRemoval(
            accountID: "a", at: Make.start, due: Make.start + 100, notice: Make.mail(),
            event: Make.event(.login, account: "a"))
        #expect(isAsked)
        func fails() async throws -> Bool {
            try await store.secondStepFailed(
                failuresKey: Make.key(1), event: Make.event(.secondStepFailed, account: "a"), notice: Make.mail(),
                claims: [])
        }
        for _ in 1...4 { #expect(try await !fails()) }
        func use(_ challenge: UInt8) -> FactorUse {
            .passkey(
                PasskeyUse(
                    id: "silent", signatureCount: 1, backup: silent.credential.backup, once: Make.once(challenge)))
        }
        // Where a second step follows, and in a browser that is not asked for one.
        var signIn = ProvedSignIn(account: Make.account("a").account, by: .passkey)
        signIn.use = use(2)
        try await store.beginSecondStep(Make.pendingLogin(3, by: .passkey), of: signIn)
        try await store.loginSucceeded(
            StoredLogin(session: Make.session(11, account: "a", provedBy: .passkey), failuresKey: nil, use: use(3)))
        #expect(try await store.factors(accountID: "a").removalDueAt == Make.start + 100)
        #expect(try await fails())
    }

    @Test(arguments: Engine.allCases)
    func `a removal that was asked anew is not carried out at the time of the first`(engine: Engine) async throws {
        let store = try await engine.openWithFactors()
        let (first, second) = (Make.start + 100, Make.start + 150)
        for due in [first, second] {
            let isAsked = try await store.askFactorRemoval(
                accountID: "a", at: Make.start, due: due, notice: Make.mail(), event: Make.event(.login, account: "a"))
            #expect(isAsked)
        }
        for (due, isCarriedOut) in [(first, false), (second, true)] {
            let isRemoved = try await store.removeFactors(
                accountID: "a", due: due, notice: Make.mail(), event: Make.event(.login, account: "a"))
            #expect(isRemoved == isCarriedOut)
        }
    }
}

/// Factors that rest under another key.
@Suite(.closesStores, .timeLimit(.minutes(15)))
struct FactorSealingStoreTests {
    @Test(arguments: Engine.allCases)
    func `they are listed by account, sealed anew unless they have changed, and counted`(engine: Engine) async throws {
        let store = try await engine.open()
        for (id, email, token) in [("a", "a@example.com", 1), ("b", "b@example.com", 2)]
            as [(AccountID, EmailAddress, UInt8)]
        {
            #expect(try await store.addAccount(Make.account(id, email: email, token: token)))
            let totp = FactorKey(.totp, sealed: [1, 1, 1, 1, 7], counter: 1, createdAt: Make.start)
            try await store.setKey(totp, Make.change(of: id))
        }
        let old = try await store.sealedFactors(.totp, notUnder: [2, 2, 2, 2], after: nil)
        #expect(old.map(\.accountID) == ["a", "b"] && old.allSatisfy { $0.sealed == [1, 1, 1, 1, 7] })
        #expect(try await store.sealedFactors(.totp, notUnder: [2, 2, 2, 2], after: "a").map(\.accountID) == ["b"])
        #expect(try await store.sealedFactors(.recoveryCode, notUnder: [2, 2, 2, 2], after: nil).isEmpty)
        let changed = SealedFactor(kind: .totp, accountID: "b", sealed: [1, 1, 1, 1, 8])
        try await store.reseal([old[0], changed].map { ResealedFactor(before: $0, sealed: [2, 2, 2, 2, 7]) })
        #expect(try await store.factors(accountID: "a").totp?.sealed == [2, 2, 2, 2, 7])
        #expect(try await store.factors(accountID: "b").totp?.sealed == [1, 1, 1, 1, 7])
        #expect(try await store.factorsSealed(notUnder: [2, 2, 2, 2]) == 1)
    }
}
