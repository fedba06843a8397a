import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

@Suite(.closesStores, .timeLimit(.minutes(15)))
struct FactorStoreTests {
    private func open(_ engine: Engine) async throws -> any Store {
        let store = try await engine.open()
        #expect(try await store.addAccount(Make.account("a", token: 1)))
        return store
    }

    private func handle(_ number: UInt8) -> [UInt8] { Array(repeating: number, count: 64) }

    @Test(arguments: Engine.allCases)
    func `an account begins without factors`(engine: Engine) async throws {
        let factors = try await open(engine).factors(accountID: "a")
        #expect(factors == AccountFactors() && !factors.asksSecondStep && factors.offered.isEmpty)
    }

    @Test(arguments: Engine.allCases)
    func `a change of factors may forget the browsers of the account`(engine: Engine) async throws {
        let store = try await open(engine)
        let email = "ada@example.com"
        try await store.setKey(Make.totp(), Make.change(at: Make.start + 7))
        #expect(try await store.browsersKnownSince(emailKey: email) == Make.start)
        try await store.setKey(Make.totp(), Make.change(at: Make.start + 8, addsFactor: true))
        #expect(try await store.browsersKnownSince(emailKey: email) == Make.start + 8)
    }

    @Test(arguments: Engine.allCases)
    func `accounts are counted that a password alone does not open`(engine: Engine) async throws {
        let store = try await open(engine)
        #expect(try await store.addAccount(Make.account("b", email: "b@example.com", token: 2)))
        #expect(try await store.accountsWithSecondFactor(onlyPasskeys: false) == 0)
        for (number, account) in [(UInt8(1), "a"), (2, "a"), (3, "b")] as [(UInt8, AccountID)] {
            let passkey = Make.passkey("p\(number)", of: account, credential: number, counts: account == "a")
            _ = try await store.addPasskey(
                passkey, userHandle: handle(number), once: [Make.once(number)], Make.change(of: account))
        }
        for onlyPasskeys in [false, true] {
            #expect(try await store.accountsWithSecondFactor(onlyPasskeys: onlyPasskeys) == 1)
        }
        try await store.setKey(Make.totp(), Make.change())
        #expect(try await store.accountsWithSecondFactor(onlyPasskeys: false) == 1)
        #expect(try await store.accountsWithSecondFactor(onlyPasskeys: true) == 0)
        try await store.setKey(Make.totp(), Make.change(of: "b"))
        #expect(try await store.accountsWithSecondFactor(onlyPasskeys: false) == 2)
        #expect(try await store.accountsWithSecondFactor(onlyPasskeys: true) == 0)
    }

    @Test(arguments: Engine.allCases)
    func `a passkey is found by its credential, with the account's first handle`(engine: Engine) async throws {
        let store = try await open(engine)
        for (number, id) in [(UInt8(1), "p"), (2, "q")] {
            #expect(
                try await store.addPasskey(
                    Make.passkey(id, credential: number), userHandle: handle(1), once: [Make.once(number)],
                    Make.change()))
        }
        #expect(
            try await !store.addPasskey(
                Make.passkey("r", credential: 3), userHandle: handle(2), once: [Make.once(3)], Make.change()))
        let record = try await store.passkey(credentialID: Make.passkey("q", credential: 2).credential.id)
        #expect(record?.passkey == Make.passkey("q", credential: 2) && record?.userHandle == handle(1))
        #expect(record?.account.id == "a")
        #expect(try await store.passkey(credentialID: [UInt8](repeating: 3, count: 32)) == nil)
        let factors = try await store.factors(accountID: "a")
        #expect(factors.passkeys.map(\.id) == ["p", "q"] && factors.userHandle == handle(1))
        #expect(factors.offered == [.passkey])
    }

    @Test(arguments: Engine.allCases)
    func `a credential is one account's, and a challenge is answered once`(engine: Engine) async throws {
        let store = try await open(engine)
        #expect(try await store.addAccount(Make.account("b", email: "bob@example.com", token: 2)))
        _ = try await store.addPasskey(
            Make.passkey("p"), userHandle: handle(1), once: [Make.once(1)], Make.change())
        #expect(
            try await !store.addPasskey(
                Make.passkey("q", of: "b"), userHandle: handle(2), once: [Make.once(2)], Make.change(of: "b")))
        await #expect(throws: UsedBefore.self) {
            try await store.addPasskey(
                Make.passkey("r", credential: 9), userHandle: handle(1), once: [Make.once(1)], Make.change())
        }
        #expect(try await store.factors(accountID: "a").passkeys.map(\.id) == ["p"])
        #expect(try await store.factors(accountID: "b").passkeys.isEmpty)
    }

    @Test(arguments: Engine.allCases)
    func `an account has at most twenty passkeys`(engine: Engine) async throws {
        let store = try await open(engine)
        for number in 1...21 as ClosedRange<UInt8> {
            let isAdded = try await store.addPasskey(
                Make.passkey("p\(number)", credential: number), userHandle: handle(1), once: [Make.once(number)],
                Make.change())
            #expect(isAdded == (number <= 20))
        }
    }

    @Test(arguments: Engine.allCases)
    func `a passkey is renamed by its owner only`(engine: Engine) async throws {
        let store = try await open(engine)
        _ = try await store.addPasskey(Make.passkey("p"), userHandle: handle(1), once: [Make.once(1)], Make.change())
        #expect(try await store.addAccount(Make.account("b", email: "bob@example.com", token: 2)))
        let other = Make.presented(2, account: "b")
        #expect(try await !store.renamePasskey(id: "p", by: other, name: "Mine"))
        #expect(try await store.renamePasskey(id: "p", by: Make.presented(), name: "Laptop"))
        #expect(try await store.factors(accountID: "a").passkeys.first?.name == "Laptop")
    }

    @Test(arguments: Engine.allCases)
    func `a passkey becomes a second factor by its owner only`(engine: Engine) async throws {
        let store = try await open(engine)
        _ = try await store.addPasskey(
            Make.passkey("p", counts: false), userHandle: handle(1), once: [Make.once(1)], Make.change())
        #expect(try await store.addAccount(Make.account("b", email: "bob@example.com", token: 2)))
        #expect(try await !store.useForSecondStep(passkeyID: "p", Make.change(of: "b")))
        #expect(try await !store.factors(accountID: "a").asksSecondStep)
        #expect(try await store.useForSecondStep(passkeyID: "p", Make.change()))
        #expect(try await store.factors(accountID: "a").asksSecondStep)
    }

    @Test(arguments: Engine.allCases)
    func `the last way in is not removed, and codes go with the last factor`(engine: Engine) async throws {
        let store = try await engine.open()
        _ = try await store.addAccount(Make.accountWithoutPassword("a", token: 1))
        _ = try await store.addPasskey(Make.passkey("p"), userHandle: handle(1), once: [Make.once(1)], Make.change())
        try await store.setRecoveryCodes(Make.codes(Make.key32(1), Make.key32(2)), Make.change())
        #expect(try await store.removePasskey(id: "p", inUse: Make.inUse(), Make.change()) == .lastWay)
        #expect(try await store.removePasskey(id: "x", inUse: Make.inUse(), Make.change()) == .unknown)
        _ = try await store.addPasskey(
            Make.passkey("q", credential: 2, counts: false), userHandle: handle(1), once: [Make.once(2)], Make.change())
        #expect(try await store.removePasskey(id: "p", inUse: Make.inUse(), Make.change()) == .removed)
        let factors = try await store.factors(accountID: "a")
        #expect(factors.passkeys.map(\.id) == ["q"] && factors.recoveryCodes == nil && !factors.asksSecondStep)
    }

    @Test(arguments: Engine.allCases)
    func `an authenticator app is set, replaced and removed`(engine: Engine) async throws {
        let store = try await open(engine)
        try await store.setKey(Make.totp(), Make.change())
        try await store.setKey(Make.totp(lastStep: 20), Make.change())
        #expect(try await store.factors(accountID: "a").totp == Make.totp(lastStep: 20))
        #expect(try await store.removeKey(.totp, Make.change()))
        #expect(try await !store.removeKey(.totp, Make.change()))
        #expect(try await store.factors(accountID: "a").totp == nil)
    }

    @Test(arguments: Engine.allCases)
    func `a trusted browser is listed until its time, and ended by its owner only`(engine: Engine) async throws {
        let store = try await open(engine)
        try await store.setKey(Make.totp(), Make.change())
        try await store.beginSecondStep(Make.pendingLogin(3))
        let success = Make.success(3, step: 11, trust: 9)
        try await store.loginSucceeded(success)
        let trusted = TrustedBrowser(
            browser: Make.digest(9), userAgent: success.session.session.userAgent, until: Make.start + 1000)
        #expect(try await store.trustedBrowsers(accountID: "a", now: Make.start + 999) == [trusted])
        #expect(try await store.trustedBrowsers(accountID: "a", now: Make.start + 1000).isEmpty)
        #expect(try await store.addAccount(Make.account("b", email: "bob@example.com", token: 2)))
        let event = Make.change().event
        #expect(
            try await !store.endTrust(in: Make.digest(9), by: Make.presented(2, account: "b"), event: event))
        #expect(try await store.endTrust(in: Make.digest(9), by: Make.presented(), event: event))
        #expect(try await !store.endTrust(in: Make.digest(9), by: Make.presented(), event: event))
        #expect(try await store.trustedBrowsers(accountID: "a", now: Make.start).isEmpty)
    }

    @Test(arguments: Engine.allCases)
    func `the browsers trusted last stay, as many as an account may have`(engine: Engine) async throws {
        let store = try await open(engine)
        try await store.setKey(Make.totp(), Make.change())
        let (most, first) = (TrustedBrowser.mostPerAccount, UInt8(100))
        for number in 0...UInt8(most) {
            try await store.beginSecondStep(Make.pendingLogin(first + number))
            try await store.loginSucceeded(
                Make.success(
                    first + number, step: 20 + Int64(number), token: first + number, trust: first + number,
                    until: Make.start + 1000 + Double(number)))
        }
        let trusted = try await store.trustedBrowsers(accountID: "a", now: Make.start)
        #expect(trusted.count == most && trusted.last?.browser == Make.digest(first + 1))
    }

    @Test(arguments: Engine.allCases)
    func `every change renews the session, ends trust and tells the owner`(engine: Engine) async throws {
        let store = try await open(engine)
        try await store.setKey(Make.totp(), Make.change())
        try await store.beginSecondStep(Make.pendingLogin(3))
        try await store.loginSucceeded(Make.success(3, step: 11, trust: 9))
        #expect(try await store.trustedUntil(browser: Make.digest(9), accountID: "a") == Make.start + 1000)
        #expect(try await store.trustedUntil(browser: Make.digest(9), accountID: "b") == nil)
        _ = try await store.takeWaitingMails()
        try await store.setRecoveryCodes(Make.codes(Make.key32(1)), Make.change(renewal: Make.renewal(from: 1, to: 2)))
        #expect(try await store.trustedUntil(browser: Make.digest(9), accountID: "a") == nil)
        #expect(try await store.session(Make.digest(1)) == nil)
        #expect(try await store.session(Make.digest(2))?.session.proof.secondFactor == .totp)
        #expect(try await store.takeWaitingMails() == 1)
        await #expect(throws: Superseded.self) {
            try await store.removeKey(.totp, Make.change(renewal: Make.renewal(from: 1, to: 3)))
        }
        #expect(try await store.factors(accountID: "a").totp != nil)
    }

    @Test(arguments: Engine.allCases)
    func `a request goes on with the factors that it has read once`(engine: Engine) async throws {
        let store = try await engine.open()
        _ = try await store.addAccount(Make.account("a"))
        let factors = RequestFactors(of: "a")
        #expect(try await factors.read(store) == AccountFactors())
        try await store.setKey(Make.totp(), Make.change())
        #expect(try await factors.read(store) == AccountFactors())
        #expect(try await RequestFactors(of: "a").read(store).totp == Make.totp())
    }
}

extension Make {
    static func key32(_ number: UInt8) -> [UInt8] { Array(repeating: number, count: 32) }

    static func accountWithoutPassword(_ id: AccountID, token: UInt8) -> NewAccount {
        let new = account(id, token: token)
        return NewAccount(
            account: new.account, passwordHash: nil, consent: new.consent, session: new.session, events: new.events)
    }
}

extension OutboxStore {
    /// How many mails were to be sent, and had not been taken.
    func takeWaitingMails() async throws -> Int {
        try await takeDueMails(limit: 1000, now: Make.start + 60, leaseUntil: Make.start + 120).count
    }
}
