import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import PasswordHashing
@testable import Vestibule

@Suite(.closesStores)
struct EmailChangeStoreTests {
    private func change(_ flow: UInt8, account: AccountID = "a", to email: EmailAddress, code: UInt8 = 9)
        -> PendingEmailChange
    {
        PendingEmailChange(code: Make.pendingCode(flow: flow, email: email, code: code), accountID: account)
    }

    private func completion(
        from email: EmailAddress = "ada@example.com", undo: UInt8 = 50, token: UInt8 = 1
    ) -> EmailChangeCompletion {
        EmailChangeCompletion(
            renewal: SessionRenewal(
                sessionID: "session-1", replaces: Make.digest(token), tokenDigest: Make.digest(77),
                proof: Session.Proof(at: Make.start)),
            undo: EmailUndoLink(
                token: Make.digest(undo), accountID: "a", email: email,
                createdAt: Make.start + Double(undo), expiresAt: Make.start + 7 * 86_400
            ),
            notice: Make.mail(), noticeOfReturn: Make.mail(),
            event: Make.event(.emailChanged, account: "a"), failuresKey: Make.key(3))
    }

    private func restoration(
        displacing email: EmailAddress = "new@x.example", disabledAt: Date? = nil
    ) -> EmailRestoration {
        var displaced = Make.account("a", email: email).account
        displaced.disabledAt = disabledAt
        return EmailRestoration(
            passwordHash: Make.newHash, failuresKey: [4], notice: Make.mail(),
            displaced: displaced, farewell: Make.mail("to \(email.key)"),
            lockNotice: Make.mail("lock \(email.key)"),
            event: Make.event(.emailRestored, account: "a"), locked: Make.event(.emailUndoLocked, account: "a"))
    }

    /// The account has another address; its undo waits for the code 8 in flow 60.
    private func withUndo(_ store: any Store) async throws -> EmailUndoLink {
        try await store.addPendingEmailChange(
            change(1, to: "new@x.example"), by: Make.presented(), mail: Make.mail(),
            event: Make.event(.emailChangeRequested, account: "a"))
        _ = try await store.completeEmailChange(
            flow: Make.digest(1), attempt: Make.attempt(9), completion: completion(), now: Make.start)
        let undo = try #require(try await store.emailUndo(Make.digest(50), now: Make.start))
        let pending = PendingEmailUndo(code: Make.pendingCode(flow: 60, email: undo.email, code: 8), undo: undo)
        try await store.addPendingEmailUndo(pending, replaces: nil, mail: Make.mail("code"))
        return undo
    }

    private func house(_ engine: Engine) async throws -> any Store {
        let store = try await engine.open()
        _ = try await store.addAccount(Make.account("a", token: 1))
        _ = try await store.addAccount(Make.account("b", email: "bob@example.com", token: 2))
        return store
    }

    @Test(arguments: Engine.allCases)
    func `a right code changes the address once, renews the session and keeps an undo`(engine: Engine) async throws {
        let store = try await house(engine)
        let event = Make.event(.emailChangeRequested, account: "a")
        try await store.addPendingEmailChange(
            change(1, to: "old@x.example"), by: Make.presented(), mail: Make.mail(), event: event)
        try await store.addPendingEmailChange(
            change(2, to: "new@x.example"), by: Make.presented(), mail: Make.mail(),
            event: Make.event(.emailChangeRequested, account: "a"))
        #expect(try await store.pendingEmailChange(flow: Make.digest(1), now: Make.start) == nil)
        let wrong = try await store.completeEmailChange(
            flow: Make.digest(2), attempt: Make.attempt(8), completion: completion(), now: Make.start)
        #expect(wrong == .codeWrong)
        let outcomes = try await withThrowingTaskGroup(of: CodeOutcome.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await store.completeEmailChange(
                        flow: Make.digest(2), attempt: Make.attempt(9), completion: completion(), now: Make.start)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == .done } == 1)
        #expect(try await store.session(Make.digest(1)) == nil)
        #expect(try await store.session(Make.digest(77))?.account.email.typed == "new@x.example")
        #expect(try await store.emailUndo(Make.digest(50), now: Make.start)?.email == "ada@example.com")
        #expect(try await store.emailUndo(Make.digest(50), now: Make.start + 7 * 86_400) == nil)
    }

    @Test(arguments: Engine.allCases)
    func `the mail with the code of a change ends with it`(engine: Engine) async throws {
        let store = try await house(engine)
        for (flow, mail) in [(1, "first"), (2, "second")] as [(UInt8, String)] {
            try await store.addPendingEmailChange(
                change(flow, to: "new@x.example"), by: Make.presented(), mail: Make.mail(mail),
                event: Make.event(.emailChangeRequested, account: "a"))
        }
        func waiting() async throws -> [String] {
            try await store.outboxEntries(to: nil, after: nil, onlyFailed: false, limit: 99).map(\.mail.id)
        }
        let open = try await waiting()
        #expect(!open.contains("first") && open.contains("second"))
        #expect(try await store.disableAccount(id: "a", event: Make.event(.accountDisabled, account: "a")))
        #expect(try await !waiting().contains("second"))
    }

    @Test(arguments: Engine.allCases)
    func `failures at an address are no longer counted once it comes to an account, or leaves it`(
        engine: Engine
    ) async throws {
        let store = try await house(engine)
        for key in [Make.key(1), Make.key(2), Make.key(3)] {
            try await store.loginFailed(failuresKey: key, event: Make.event(.loginFailed, account: "b"))
        }
        _ = try await withUndo(store)
        try await store.addPendingSignup(Make.pending(flow: 9, email: "c@example.com"), mails: Make.mails())
        let made = try await store.completeSignup(
            flow: Make.digest(9), attempt: Make.attempt(9, failuresKey: Make.key(2)),
            new: Make.account("c", email: "c@example.com", token: 3), now: Make.start)
        #expect(made == .done)
        let keys = [("new@x.example", Make.key(1)), ("c@example.com", Make.key(2)), ("ada@example.com", Make.key(3))]
        for (address, key) in keys {
            #expect(try await store.loginRecord(emailKey: address, failuresKey: key).failuresInARow == 0)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a taken address ends the flow and changes nothing`(engine: Engine) async throws {
        let store = try await house(engine)
        try await store.addPendingEmailChange(
            change(1, to: "bob@example.com"), by: Make.presented(), mail: Make.mail(),
            event: Make.event(.emailChangeRequested, account: "a"))
        let outcome = try await store.completeEmailChange(
            flow: Make.digest(1), attempt: Make.attempt(9), completion: completion(), now: Make.start)
        #expect(outcome == .taken)
        #expect(try await store.session(Make.digest(1))?.account.email.typed == "ada@example.com")
        #expect(try await store.pendingEmailChange(flow: Make.digest(1), now: Make.start) == nil)
        #expect(try await store.emailUndo(Make.digest(50), now: Make.start) == nil)
    }

    @Test(arguments: Engine.allCases)
    func `an address that another change has replaced meanwhile is not changed`(engine: Engine) async throws {
        let store = try await house(engine)
        try await store.addPendingEmailChange(
            change(1, to: "new@x.example"), by: Make.presented(), mail: Make.mail(),
            event: Make.event(.emailChangeRequested, account: "a"))
        let outcome = try await store.completeEmailChange(
            flow: Make.digest(1), attempt: Make.attempt(9), completion: completion(from: "older@x.example"),
            now: Make.start)
        #expect(outcome == .codeWrong)
        #expect(try await store.session(Make.digest(1))?.account.email.typed == "ada@example.com")
        #expect(try await store.emailUndo(Make.digest(50), now: Make.start) == nil)
    }

    @Test(arguments: Engine.allCases)
    func `an undo restores the address once and ends every session`(engine: Engine) async throws {
        let store = try await house(engine)
        let undo = try await withUndo(store)
        func take(
            code: UInt8, at now: Date, displacing email: EmailAddress = "new@x.example"
        ) async throws -> EmailUndoOutcome? {
            try await store.undoEmailChange(
                flow: Make.digest(60), attempt: Make.attempt(code), restoration: restoration(displacing: email),
                now: now)
        }
        #expect(try await take(code: 8, at: Make.start + 600) == nil)
        #expect(try await take(code: 9, at: Make.start + 60) == nil)
        #expect(try await store.pendingEmailUndo(flow: Make.digest(60), now: Make.start)?.undo == undo)
        #expect(try await store.account(undo.accountID)?.email == "new@x.example")
        // The farewell was written before another change of the address: nothing happens.
        await #expect(throws: Superseded.self) {
            try await take(code: 8, at: Make.start + 60, displacing: "older@x.example")
        }
        #expect(try await store.pendingEmailUndo(flow: Make.digest(60), now: Make.start)?.code.attempts == 1)
        #expect(try await store.session(Make.digest(77))?.account.email.typed == "new@x.example")
        #expect(try await take(code: 8, at: Make.start + 60) == .restored)
        #expect(try await store.browsersKnownSince(emailKey: "ada@example.com") == Make.start + 60)
        #expect(try await take(code: 8, at: Make.start + 60) == nil)
        #expect(try await store.pendingEmailUndo(flow: Make.digest(60), now: Make.start) == nil)
        #expect(try await store.session(Make.digest(77)) == nil)
        let mails = try await store.takeDueMails(limit: 99, now: Make.start, leaseUntil: Make.start + 60).map(\.id)
        #expect(mails.filter { $0.hasPrefix("to ") } == ["to new@x.example"])
        let record = try await store.loginRecord(emailKey: "ada@example.com", failuresKey: [])
        #expect(record.account?.id == "a" && record.passwordHash?.phc == "new")
    }

    @Test(arguments: Engine.allCases)
    func `an undo of an account that an operator has disabled leaves it so`(engine: Engine) async throws {
        let store = try await house(engine)
        _ = try await withUndo(store)
        let disabled = SecurityEvent(
            id: "disabled", kind: .proved, accountID: "a", at: Make.start + 5, address: nil, userAgent: "")
        #expect(try await store.disableAccount(id: "a", event: disabled))
        func take(_ restoration: EmailRestoration) async throws -> EmailUndoOutcome? {
            try await store.undoEmailChange(
                flow: Make.digest(60), attempt: Make.attempt(8), restoration: restoration, now: Make.start + 60)
        }
        // Its mail was written before: nothing happens.
        await #expect(throws: Superseded.self) { try await take(restoration()) }
        #expect(try await take(restoration(disabledAt: Make.start + 5)) == .restoredDisabled)
        let account = try #require(try await store.account("a"))
        #expect(account.email == "ada@example.com" && account.disabledAt == Make.start + 5)
        #expect(try await store.sessions(accountID: "a", now: Make.start + 60).isEmpty)
        #expect(try await store.emailUndo(Make.digest(50), now: Make.start + 60) == nil)
    }

    @Test(arguments: Engine.allCases)
    func `a disabled account whose former address is taken stays disabled since then`(engine: Engine) async throws {
        let store = try await house(engine)
        _ = try await withUndo(store)
        let disabled = SecurityEvent(
            id: "disabled", kind: .proved, accountID: "a", at: Make.start + 5, address: nil, userAgent: "")
        #expect(try await store.disableAccount(id: "a", event: disabled))
        _ = try await store.addAccount(Make.account("c", email: "ada@example.com", token: 3))
        let outcome = try await store.undoEmailChange(
            flow: Make.digest(60), attempt: Make.attempt(8), restoration: restoration(disabledAt: Make.start + 5),
            now: Make.start + 60)
        #expect(outcome == .locked)
        #expect(try await store.account("a")?.disabledAt == Make.start + 5)
        // The link stays, for when the other account is gone; its code is used.
        #expect(try await store.emailUndo(Make.digest(50), now: Make.start + 60) != nil)
        #expect(try await store.pendingEmailUndo(flow: Make.digest(60), now: Make.start + 60) == nil)
    }

    @Test(arguments: Engine.allCases)
    func `who has left an address is known until its undo is gone`(engine: Engine) async throws {
        let store = try await house(engine)
        #expect(try await store.formerHolder(of: "ada@example.com") == nil)
        let undo = try await withUndo(store)
        let holder = try await store.formerHolder(of: "Ada@example.com")
        #expect(holder == FormerHolder(accountID: "a", until: undo.createdAt))
        _ = try await store.undoEmailChange(
            flow: Make.digest(60), attempt: Make.attempt(8), restoration: restoration(), now: Make.start + 60)
        #expect(try await store.formerHolder(of: "ada@example.com") == nil)
    }

    @Test(arguments: Engine.allCases)
    func `an undo ends the factors of the three days before the change, no older ones`(engine: Engine) async throws {
        let store = try await house(engine)
        let handle = [UInt8](repeating: 1, count: 64)
        func add(_ passkey: Passkey, once: UInt8) async throws {
            #expect(try await store.addPasskey(passkey, userHandle: handle, once: [Make.once(once)], Make.change()))
        }
        try await add(Make.passkey("owner", at: Make.start - 4 * 86_400), once: 1)
        try await add(Make.passkey("before", credential: 4, at: Make.start - 86_400), once: 4)
        try await add(Make.passkey("silent", credential: 3, counts: false, at: Make.start - 4 * 86_400), once: 3)
        let undo = try await withUndo(store)
        // By a node whose clock is behind.
        let behind = undo.createdAt - 5
        try await add(Make.passkey("thief", credential: 2, at: behind), once: 2)
        #expect(try await store.useForSecondStep(passkeyID: "silent", Make.change(at: behind)))
        try await store.setKey(FactorKey(.totp, sealed: [9], counter: 1, createdAt: behind), Make.change())
        try await store.setRecoveryCodes(Make.codes(Make.key32(1)), Make.change(at: behind))
        let outcome = try await store.undoEmailChange(
            flow: Make.digest(60), attempt: Make.attempt(8), restoration: restoration(), now: Make.start + 90)
        #expect(outcome == .restored)
        let left = try await store.factors(accountID: "a")
        #expect(left.passkeys.map(\.id) == ["owner"])
        #expect(left.totp == nil && left.recoveryCodes == nil)
    }

    @Test(arguments: Engine.allCases)
    func `an address taken back stays, also when a later change was made by a node whose clock is behind`(
        engine: Engine
    ) async throws {
        let store = try await house(engine)
        _ = try await withUndo(store)
        let later = PresentedSession(id: "session-1", accountID: "a", token: Make.digest(77))
        try await store.addPendingEmailChange(
            change(2, to: "third@x.example"), by: later, mail: Make.mail(),
            event: Make.event(.emailChangeRequested, account: "a"))
        let second = completion(from: "new@x.example", undo: 45, token: 77)
        #expect(
            try await store.completeEmailChange(
                flow: Make.digest(2), attempt: Make.attempt(9), completion: second, now: Make.start) == .done)
        #expect(try await store.emailUndo(Make.digest(45), now: Make.start) != nil)
        let outcome = try await store.undoEmailChange(
            flow: Make.digest(60), attempt: Make.attempt(8), restoration: restoration(displacing: "third@x.example"),
            now: Make.start + 90)
        #expect(outcome == .restored)
        #expect(try await store.emailUndo(Make.digest(45), now: Make.start) == nil)
    }

    @Test(arguments: Engine.allCases)
    func `an undo ends a first factor of the three days before`(engine: Engine) async throws {
        let store = try await house(engine)
        for (number, day) in [2.9, 1].enumerated() {
            let passkey = Make.passkey("thief \(number)", credential: UInt8(number), at: Make.start - day * 86_400)
            let handle = [UInt8](repeating: 1, count: 64)
            #expect(
                try await store.addPasskey(
                    passkey, userHandle: handle, once: [Make.once(UInt8(number))], Make.change()))
        }
        _ = try await withUndo(store)
        let outcome = try await store.undoEmailChange(
            flow: Make.digest(60), attempt: Make.attempt(8), restoration: restoration(), now: Make.start + 90)
        #expect(outcome == .restored)
        #expect(try await store.factors(accountID: "a").passkeys.isEmpty)
    }
}
