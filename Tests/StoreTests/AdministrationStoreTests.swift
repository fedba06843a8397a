import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

@Suite(.closesStores, .timeLimit(.minutes(15)))
struct AdministrationStoreTests {
    private func reset(_ flow: UInt8, email: EmailAddress, account: AccountID) -> MailedReset {
        MailedReset(
            pending: PendingReset(
                code: Make.pendingCode(flow: flow, email: email, lives: 604_800), locale: "en"),
            mail: Make.mail(), event: Make.event(.accountInvited, account: account)
        )
    }

    private func invite(_ store: any Store, _ number: Int, email: EmailAddress) async throws -> Bool {
        let account = Account(
            id: "id-\(number)", email: email, displayName: "Ada", createdAt: Make.start, verifiedAt: nil, locale: "en",
            termsVersion: nil
        )
        return try await store.addInvitedAccount(
            account, reset: reset(UInt8(number), email: email, account: account.id))
    }

    @Test(arguments: Engine.allCases)
    func `pages by key show every account once, also while others are made`(engine: Engine) async throws {
        let store = try await engine.open()
        let emails = (0..<20).map { "m\($0)@example.com" }.sorted()
        for (number, email) in emails.enumerated() { #expect(try await invite(store, number, email: "\(email)")) }
        var seen: [String] = []
        while true {
            let page = try await store.accounts(in: nil, after: seen.last, limit: 3)
            if page.isEmpty { break }
            seen += page.map(\.account.email.key)
            // One that sorts before everything seen, so that counting would repeat an account.
            _ = try await invite(store, 100 + seen.count, email: "a\(seen.count)@example.com")
        }
        #expect(seen == emails)
    }

    @Test(arguments: Engine.allCases)
    func `an account is found by address and id, and only its hash's scheme is told`(engine: Engine) async throws {
        let store = try await engine.open()
        #expect(try await store.addAccount(Make.account("a", hash: "$argon2id$v=19$secret")))
        let email = "ADA@example.com" as EmailAddress
        let byAddress = try await store.account(.address(email))
        #expect(byAddress?.account.id == "a" && byAddress?.passwordScheme == "argon2id")
        #expect(try await store.account(.id("a")) == byAddress)
        #expect(try await store.account(.id("b")) == nil)
    }

    @Test(arguments: Engine.allCases)
    func `an invitation makes account, reset, mail and event together, and not twice`(engine: Engine) async throws {
        let store = try await engine.open()
        #expect(try await invite(store, 1, email: "ada@example.com"))
        #expect(try await !invite(store, 2, email: "ada@example.com"))
        let made = try await store.account(.id("id-1"))
        #expect(made?.passwordScheme == nil && made?.account.verifiedAt == nil)
        #expect(try await store.pendingReset(flow: Make.digest(1), now: Make.start + 604_799) != nil)
        #expect(try await store.pendingReset(flow: Make.digest(2), now: Make.start) == nil)
        #expect(try await store.takeDueMails(limit: 9, now: Make.start, leaseUntil: Make.start + 60).count == 1)
        #expect(try await store.events(accountID: "id-1", limit: 9).map(\.kind) == [.accountInvited])
    }

    @Test(arguments: Engine.allCases)
    func `disabling ends sessions and resets once, and no reset starts until it is undone`(engine: Engine)
        async throws
    {
        let store = try await engine.open()
        #expect(try await store.addAccount(Make.account("a")))
        let email: EmailAddress = "ada@example.com"
        #expect(try await store.addMailedReset(reset(1, email: email, account: "a"), accountID: "a"))
        #expect(try await store.disableAccount(id: "a", event: Make.event(.accountDisabled, account: "a")))
        #expect(try await !store.disableAccount(id: "a", event: Make.event(.accountDisabled, account: "a")))
        #expect(try await store.session(Make.digest(1)) == nil)
        #expect(try await store.pendingReset(flow: Make.digest(1), now: Make.start) == nil)
        #expect(try await !store.addMailedReset(reset(2, email: email, account: "a"), accountID: "a"))
        #expect(try await store.enableAccount(id: "a", event: Make.event(.accountEnabled, account: "a")))
        #expect(try await !store.enableAccount(id: "a", event: Make.event(.accountEnabled, account: "a")))
        #expect(try await store.session(Make.digest(1)) == nil)
        #expect(try await store.addMailedReset(reset(3, email: email, account: "a"), accountID: "a"))
        let kinds = try await store.events(accountID: "a", limit: 9).map(\.kind)
        #expect(
            kinds.filter { $0 == .accountDisabled || $0 == .accountEnabled } == [.accountEnabled, .accountDisabled])
    }

    @Test(arguments: Engine.allCases)
    func `what was added before a mailbox was taken as proved goes, what comes after stays`(
        engine: Engine
    ) async throws {
        let store = try await engine.open()
        #expect(try await invite(store, 1, email: "ada@example.com"))
        func add(_ id: String, _ number: UInt8) async throws {
            let passkey = Make.passkey(id, of: "id-1", credential: number, at: Make.start + 1)
            let handle = [UInt8](repeating: 1, count: 64)
            #expect(
                try await store.addPasskey(
                    passkey, userHandle: handle, once: [Make.once(number)], Make.change(of: "id-1")))
        }
        try await add("stranger", 1)
        try await store.setKey(
            FactorKey(.totp, sealed: [9], counter: 10, createdAt: Make.start + 0.001), Make.change(of: "id-1"))
        #expect(try await store.verifyAccount(id: "id-1", event: Make.event(.accountVerified, account: "id-1")))
        let left = try await store.factors(accountID: "id-1")
        #expect(left.passkeys.isEmpty && left.totp == nil)
        try await add("owner", 2)
        #expect(try await !store.verifyAccount(id: "id-1", event: Make.event(.accountVerified, account: "id-1")))
        #expect(try await store.factors(accountID: "id-1").passkeys.map(\.id) == ["owner"])
    }

    @Test(arguments: Engine.allCases)
    func `what came with an account stays when its mailbox is taken as proved, and so do its sessions`(
        engine: Engine
    ) async throws {
        let store = try await engine.open()
        let made = Make.account("a")
        var account = made.account
        account.verifiedAt = nil
        let new = NewAccount(
            account: account, passwordHash: made.passwordHash, consent: made.consent, session: made.session, events: [])
        #expect(try await store.addAccount(new))
        try await store.setKey(Make.totp(), Make.change())
        try await store.setRecoveryCodes(Make.codes(Make.key32(1), Make.key32(2)), Make.change())
        let passkey = Make.passkey("stranger", credential: 1, at: Make.start + 1)
        #expect(
            try await store.addPasskey(
                passkey, userHandle: [UInt8](repeating: 1, count: 64), once: [Make.once(1)], Make.change()))
        let due = Make.start + 86_400
        let isAsked = try await store.askFactorRemoval(
            accountID: "a", at: Make.start, due: due, notice: Make.mail(), event: Make.event(.proved, account: "a"))
        #expect(isAsked)
        #expect(try await store.verifyAccount(id: "a", event: Make.event(.accountVerified, account: "a")))
        let left = try await store.factors(accountID: "a")
        #expect(left.passkeys.isEmpty && left.totp != nil && left.recoveryCodes?.left == 2)
        #expect(left.removalDueAt == due)
        #expect(try await store.session(Make.digest(1))?.session.awaitsFactor == false)
    }

    @Test(arguments: Engine.allCases)
    func `a mailbox is taken as proved once`(engine: Engine) async throws {
        let store = try await engine.open()
        #expect(try await invite(store, 1, email: "ada@example.com"))
        #expect(try await store.verifyAccount(id: "id-1", event: Make.event(.accountVerified, account: "id-1")))
        #expect(try await !store.verifyAccount(id: "id-1", event: Make.event(.accountVerified, account: "id-1")))
        #expect(try await store.account(.id("id-1"))?.account.verifiedAt == Make.start)
        let kinds = try await store.events(accountID: "id-1", limit: 9).map(\.kind)
        #expect(kinds == [.accountVerified, .accountInvited])
    }

    @Test(arguments: Engine.allCases)
    func `a reset is not mailed to an address that the account has left meanwhile`(engine: Engine) async throws {
        let store = try await engine.open()
        #expect(try await store.addAccount(Make.account("a")))
        #expect(try await !store.addMailedReset(reset(1, email: "former@example.com", account: "a"), accountID: "a"))
        #expect(try await store.nextMailDue() == nil)
        #expect(try await store.pendingReset(flow: Make.digest(1), now: Make.start) == nil)
    }
}
