import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import PasswordHashing
@testable import Vestibule

/// What each event leaves of each way into an account.
@Suite(.closesStores, .timeLimit(.minutes(15)))
struct WaysInStoreTests {
    /// "old" are those that were there before the change that is taken back, or before the last 30
    /// days; "new" is another password. An account whose address was changed is verified, so one
    /// that is not has no `emailUndo`.
    private static let table = """
        way             passwordReset passwordChanged addressTakenBack addressVerified vouchedFor disabled factorsReset factorTakenBack
        password        new           new             new              all             all        all      all          none
        identity        old           old             none             none            none       all      all          old
        silentPasskey   old           old             none             none            none       all      none         none
        factor          all           all             old              none            old        all      none         old
        factorRemoval   all           all             none             none            all        all      none         none
        trustedBrowser  none          none            none             none            none       none     none         none
        pendingLogin    none          none            none             none            none       none     none         none
        session         none          none            none             all             all        none     none         none
        application     none          none            none             all             all        none     none         none
        heldForm        none          none            none             all             all        none     none         none
        passwordReset   none          none            none             all             all        none     all          none
        emailChange     none          none            none             all             all        none     none         none
        emailUndo       all           all             old              none            none       all      all          all
        """

    /// They happen to an account whose mailbox nobody has proved.
    private static let unproved: [WaysInEvent] = [.addressVerified, .vouchedFor]

    private static func link(since: Date) -> FactorUndoLink {
        FactorUndoLink(
            accountID: "a", passkey: "--------", expiresAt: since.addingTimeInterval(2 * FactorUndoLink.lifetime))
    }

    private static func expected(_ way: WayIn, _ event: WaysInEvent) throws -> String {
        let rows = table.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        let column = try #require(rows[0].firstIndex(of: event.rawValue), "no column for \(event)")
        let row = try #require(rows.first { $0[0] == way.rawValue }, "no row for \(way)")
        return row[column]
    }

    @Test(arguments: Engine.allCases, WaysInEvent.allCases)
    func `every way in is as the table says`(engine: Engine, event: WaysInEvent) async throws {
        let ways = try await Ways(engine.open(), isVerified: !Self.unproved.contains(event))
        try await happen(event, to: ways.store)
        for way in WayIn.allCases {
            #expect(try await ways.left(of: way) == Self.expected(way, event), "\(way) at \(event)")
        }
    }

    @Test(arguments: Engine.allCases)
    func `before anything happens all of them are there`(engine: Engine) async throws {
        let ways = try await Ways(engine.open(), isVerified: true)
        for way in WayIn.allCases { #expect(try await ways.left(of: way) == "all", "\(way)") }
    }

    @Test(arguments: Engine.allCases)
    func `a passkey that became a second factor lately is as new as that`(engine: Engine) async throws {
        let store = try await Ways(engine.open(), isVerified: true).store
        let late = Make.change(at: Make.start + 300)
        #expect(try await store.useForSecondStep(passkeyID: "silent old", late))
        try await happen(.factorTakenBack, to: store)
        #expect(try await store.factors(accountID: "a").passkeys.map(\.id) == ["factor old"])
    }

    @Test(arguments: Engine.allCases)
    func `an identity of the last 30 days goes with a first factor that is taken back`(engine: Engine) async throws {
        let store = try await Ways(engine.open(), isVerified: true).store
        let change = Make.change(at: Ways.changed + 3 * 86_400)
        _ = try await store.takeBackFactors(
            by: Self.link(since: Ways.changed + 86_400), passkeyID: "factor new", change)
        #expect(try await store.identities(accountID: "a").map(\.id) == ["old"])
    }

    private static let undoing: [WaysInEvent] = [
        .factorTakenBack, .factorsReset, .addressTakenBack, .addressVerified, .vouchedFor, .passwordReset,
    ]

    @Test(arguments: Engine.allCases, undoing)
    func `no link from before works once factors were taken back or removed`(
        engine: Engine, event: WaysInEvent
    ) async throws {
        let store = try await Ways(engine.open(), isVerified: !Self.unproved.contains(event)).store
        try await happen(event, to: store)
        func takesBack(since moment: Date) async throws -> Bool {
            let key = FactorKey(.totp, sealed: [9], counter: 10, createdAt: Make.start + 900)
            try await store.setKey(key, Make.change())
            return try await store.takeBackFactors(by: Self.link(since: moment), passkeyID: nil, Make.change())
        }
        let before = Make.start - FactorUndoLink.lifetime
        // A password that was replaced ends none.
        #expect(try await takesBack(since: before) == (event == .passwordReset))
        let after = Ways.changed + 0.25
        #expect(try await takesBack(since: after))
        #expect(try await !takesBack(since: after))
    }

    @Test(arguments: Engine.allCases)
    func `a link that has ended stays so when a node with a clock behind ends others`(engine: Engine) async throws {
        let store = try await engine.openWithFactors()
        let ahead = Self.link(since: Make.start + 60 - FactorUndoLink.lifetime)
        #expect(try await store.takeBackFactors(by: ahead, passkeyID: nil, Make.change()))
        try await store.setKey(Make.totp(), Make.change())
        try await happen(.factorsReset, to: store)
        try await store.setKey(Make.totp(), Make.change())
        #expect(try await !store.takeBackFactors(by: ahead, passkeyID: nil, Make.change()))
    }

    @Test(arguments: Engine.allCases)
    func `once factors were removed the mailbox takes none back`(engine: Engine) async throws {
        let store = try await engine.open()
        #expect(try await store.addAccount(Make.account("a")))
        let end = FactorUndoLink.expiry(from: Make.start)
        var change = Make.change(addsFactor: true)
        change.undo = Once(digest: FactorUndoLink.open("a", emailKey: "ada@example.com"), until: end)
        try await store.setKey(Make.totp(), change)
        func expiry() async throws -> Date? {
            try await store.factorUndoExpiry(accountID: "a", emailKey: "ada@example.com", now: Make.start)
        }
        #expect(try await expiry() == end)
        try await happen(.factorsReset, to: store)
        #expect(try await expiry() == nil)
    }

    @Test(arguments: Engine.allCases)
    func `the identity that opened the account is not taken back`(engine: Engine) async throws {
        let store = try await engine.open()
        let made = Make.account("a")
        let identity = Identity(
            id: "first", accountID: "a", provider: "example", issuer: "https://i", subject: "s", email: nil,
            createdAt: made.account.createdAt)
        let signup = try await store.addAccount(
            made, identity: LinkedIdentity(identity: identity, refreshToken: nil), once: nil)
        #expect(signup == .created)
        try await store.setKey(Make.totp(), Make.change())
        let link = Self.link(since: Make.start - 1)
        #expect(try await store.takeBackFactors(by: link, passkeyID: nil, Make.change()))
        #expect(try await store.identities(accountID: "a").map(\.id) == ["first"])
    }

    @Test(arguments: Engine.allCases)
    func `a removal goes with the last factor when the mailbox is taken as proved`(engine: Engine) async throws {
        let store = try await engine.open()
        let made = Make.account("a")
        var account = made.account
        account.verifiedAt = nil
        let isAdded = try await store.addAccount(
            NewAccount(
                account: account, passwordHash: made.passwordHash, consent: made.consent, session: made.session,
                events: []))
        #expect(isAdded)
        try await store.setKey(
            FactorKey(.totp, sealed: [9], counter: 10, createdAt: Make.start + 10), Make.change(at: Make.start + 10))
        let isAsked = try await store.askFactorRemoval(
            accountID: "a", at: Make.start + 20, due: Make.start + 86_420, notice: Make.mail(),
            event: Make.event(.factorRemovalAsked, account: "a"))
        #expect(isAsked)
        try await happen(.vouchedFor, to: store)
        let factors = try await store.factors(accountID: "a")
        #expect(factors.isEmpty && factors.removalDueAt == nil)
        // One that is added later is not removed at that time.
        #expect(try await store.dueFactorRemovals(now: Make.start + 86_420).isEmpty)
    }

    @Test(arguments: Engine.allCases)
    func `a passkey that came after the review is not passed over`(engine: Engine) async throws {
        let store = try await Ways(engine.open(), isVerified: true).store
        let review = ReviewedWays(kept: ["old", "new", "factor old", "factor new"], removed: [], events: [])
        await #expect(throws: Superseded.self) { try await changePassword(store, review) }
    }

    private static let reviewed = ReviewedWays(
        kept: ["old", "factor old", "factor new", "silent old"], removed: ["new", "silent new"], events: [])

    private func changePassword(_ store: any Store, _ review: ReviewedWays) async throws {
        try await store.changePassword(
            PasswordHash(phc: "new"), from: PasswordHash(phc: "phc"), accountID: "a",
            renewal: Make.renewal(from: 1, to: 8, nil), ways: review, notice: Make.mail(),
            event: Make.event(.passwordChanged, account: "a"))
    }

    private func happen(_ event: WaysInEvent, to store: any Store) async throws {
        let told = Make.event(.proved, account: "a")
        switch event {
        case .passwordReset: try await reset(store)
        case .passwordChanged: try await changePassword(store, Self.reviewed)
        case .addressTakenBack: try await takeBackAddress(store)
        case .addressVerified: try await signUpAgain(store)
        case .vouchedFor: #expect(try await store.verifyAccount(id: "a", event: told))
        case .disabled:
            #expect(try await store.disableAccount(id: "a", event: told))
            #expect(try await store.enableAccount(id: "a", event: Make.event(.proved, account: "a")))
        case .factorsReset:
            #expect(try await store.removeFactors(accountID: "a", due: nil, notice: Make.mail(), event: told))
        case .factorTakenBack:
            let isUndone = try await store.takeBackFactors(
                by: Self.link(since: Ways.changed), passkeyID: nil, Make.change())
            #expect(isUndone)
        }
    }

    private func signUpAgain(_ store: any Store) async throws {
        try await store.addPendingSignup(Make.pending(flow: 35, email: "first@x.example"), mails: Make.mails())
        let outcome = try await store.completeSignup(
            flow: Make.digest(35), attempt: Make.attempt(9), new: Make.account("b", email: "first@x.example"),
            now: Make.start)
        #expect(outcome == .taken)
    }

    private func reset(_ store: any Store) async throws {
        let pending = PendingReset(code: Make.pendingCode(flow: 33, email: "fourth@x.example", code: 8), locale: "en")
        try await store.addPendingReset(pending, replaces: nil, mail: Make.mail())
        let redemption = PasswordResetRedemption(
            passwordHash: Make.newHash, failuresKey: Make.key(1), ways: Self.reviewed,
            notice: Make.mail(), event: Make.event(.passwordReset, account: nil))
        let id = try await store.redeemReset(
            flow: Make.digest(33), attempt: Make.attempt(8), redemption: redemption, now: Make.start)
        #expect(id == "a")
    }

    private func takeBackAddress(_ store: any Store) async throws {
        let undo = try #require(try await store.emailUndo(Make.digest(60), now: Make.start))
        let pending = PendingEmailUndo(code: Make.pendingCode(flow: 34, email: undo.email, code: 7), undo: undo)
        try await store.addPendingEmailUndo(pending, replaces: nil, mail: Make.mail())
        let restoration = EmailRestoration(
            passwordHash: Make.newHash, failuresKey: Make.key(1), notice: Make.mail(),
            displaced: Make.account("a", email: "fourth@x.example").account, farewell: Make.mail(),
            lockNotice: Make.mail(),
            event: Make.event(.emailRestored, account: "a"), locked: Make.event(.emailUndoLocked, account: "a"))
        let outcome = try await store.undoEmailChange(
            flow: Make.digest(34), attempt: Make.attempt(7), restoration: restoration, now: Make.start)
        #expect(outcome == .restored)
    }
}
