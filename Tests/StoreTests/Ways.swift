import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import PasswordHashing
@testable import Vestibule

/// An account `a` with every way in, of most an old one and a new one, and what is left of them.
/// Session 1 acts; session 2 is another.
struct Ways {
    let store: any Store
    private let email: EmailAddress
    /// What is taken back was changed then.
    static let changed = Make.start + 100
    private static let (old, new) = (Make.start - 40 * 86_400, Make.start + 200)
    private static let handle = Array(repeating: 1 as UInt8, count: 64)
    private static var event: SecurityEvent { Make.event(.proved, account: "a") }
    private static let endOfTime = Make.start + 7 * 86_400

    init(_ store: any Store, isVerified: Bool) async throws {
        self.store = store
        email = isVerified ? "fourth@x.example" : "first@x.example"
        try await addAccount(isVerified: isVerified)
        try await addWays(1, "old", at: Self.old)
        // A changed address is a proved one.
        if isVerified { try await addUndos() }
        try await addWays(2, "new", at: Self.new)
        try await store.setKey(FactorKey(.totp, sealed: [9], counter: 10, createdAt: Self.new), Make.change())
        try await store.setRecoveryCodes(Make.codes(Make.key32(1), Make.key32(2)), Make.change(at: Self.new))
        try await addWaiting()
    }

    private func addAccount(isVerified: Bool) async throws {
        let made = Make.account("a", email: "first@x.example")
        var account = made.account
        if !isVerified { account.verifiedAt = nil }
        let new = NewAccount(
            account: account, passwordHash: made.passwordHash, consent: made.consent, session: made.session, events: [])
        #expect(try await store.addAccount(new))
        let login = StoredLogin(
            session: Make.session(2, account: "a"), failuresKey: nil, returned: [], proved: nil, rehash: nil, events: []
        )
        try await store.loginSucceeded(login)
    }

    /// From `first` to `second`, `third` and `fourth`: 61 undoes the old change, 60 the one that is
    /// taken back, 62 a newer one.
    private func addUndos() async throws {
        let changes: [(to: EmailAddress, from: EmailAddress, undo: UInt8, at: Date)] = [
            ("second@x.example", "first@x.example", 61, Self.old),
            ("third@x.example", "second@x.example", 60, Self.changed),
            ("fourth@x.example", "third@x.example", 62, Self.new),
        ]
        for change in changes {
            try await addEmailChange(flow: 40, to: change.to)
            let completion = EmailChangeCompletion(
                renewal: Make.renewal(from: 1, to: 1, nil),
                undo: EmailUndoLink(
                    token: Make.digest(change.undo), accountID: "a", email: change.from, createdAt: change.at,
                    expiresAt: Self.endOfTime),
                notice: Make.mail(), noticeOfReturn: Make.mail(),
                event: Make.event(.emailChanged, account: "a"), failuresKey: Make.key(1))
            let outcome = try await store.completeEmailChange(
                flow: Make.digest(40), attempt: Make.attempt(9), completion: completion, now: Make.start)
            #expect(outcome == .done)
        }
    }

    private func addEmailChange(flow: UInt8, to email: EmailAddress) async throws {
        try await store.addPendingEmailChange(
            PendingEmailChange(code: Make.pendingCode(flow: flow, email: email), accountID: "a"),
            by: Make.presented(), mail: Make.mail(), event: Self.event)
    }

    /// An identity, a passkey that is a second factor, and one that is none.
    private func addWays(_ number: UInt8, _ id: String, at moment: Date) async throws {
        let identity = Identity(
            id: id, accountID: "a", provider: "example", issuer: "https://i", subject: id, email: nil,
            createdAt: moment)
        let isLinked = try await store.link(
            LinkedIdentity(identity: identity, refreshToken: nil), by: Make.presented(), once: nil,
            Make.change())
        #expect(isLinked)
        for (counts, kind) in [(true, "factor"), (false, "silent")] {
            let passkey = Make.passkey(
                "\(kind) \(id)", credential: number + (counts ? 0 : 10), counts: counts, at: moment)
            let isAdded = try await store.addPasskey(
                passkey, userHandle: Self.handle, once: [], Make.change(at: moment))
            #expect(isAdded)
        }
    }

    private func addWaiting() async throws {
        let waiting = PendingLogin(
            flow: Make.digest(4), accountID: "a", provedBy: .provider, provedDigest: nil, remembered: false,
            returnTo: nil, startedAt: Make.start, expiresAt: Self.endOfTime)
        for flow in [4 as UInt8, 5] {
            try await store.beginSecondStep(flow == 4 ? waiting : Make.pendingLogin(5))
        }
        // A browser that is trusted, and the session it got.
        try await store.loginSucceeded(
            StoredLogin(
                session: Make.session(3, account: "a"), failuresKey: nil, returned: [], proved: nil, rehash: nil,
                events: [], use: .counter(11, of: .totp, madeAt: Self.new),
                secondStep: SecondStepEnd(
                    flow: Make.digest(5), trust: (browser: Make.digest(90), until: Self.endOfTime))))
        let isAsked = try await store.askFactorRemoval(
            accountID: "a", at: Make.start, due: Self.endOfTime, notice: Make.mail(), event: Self.event)
        #expect(isAsked)
        try await trust()
        for ticket in [20 as UInt8, 21] { try await store.addTicket(try Self.ticket(ticket)) }
        #expect(try await enters(20))
        try await store.hold(
            HeldForm(digest: Make.digest(30), session: Make.presented(), sealed: [1], expiresAt: Self.endOfTime))
        let reset = PendingReset(code: Make.pendingCode(flow: 31, email: email), locale: "en")
        try await store.addPendingReset(reset, replaces: nil, mail: Make.mail())
        try await addEmailChange(flow: 41, to: "fifth@x.example")
    }

    /// The operator's removal has ended the trust: here they are there at once.
    private func trust() async throws {
        guard try await store.trustedUntil(browser: Make.digest(90), accountID: "a") == nil else { return }
        try await store.beginSecondStep(Make.pendingLogin(6))
        try await store.loginSucceeded(
            StoredLogin(
                session: Make.session(3, account: "a", replaces: Make.digest(3)), failuresKey: nil, returned: [],
                proved: nil, rehash: nil, events: [],
                secondStep: SecondStepEnd(
                    flow: Make.digest(6), trust: (browser: Make.digest(90), until: Self.endOfTime))))
    }

    private static func ticket(_ number: UInt8) throws -> NewTicket {
        let origin = try #require(Origin("https://notes.example"))
        let target = try #require(RequestTarget("/"))
        return NewTicket(
            digest: Make.digest(number), session: Make.presented(),
            wish: HandOverWish(origin: origin, target: target, browser: Make.digest(50), isRetry: false),
            expiresAt: endOfTime)
    }

    private func enters(_ ticket: UInt8) async throws -> Bool {
        let origin = try #require(Origin("https://notes.example"))
        let redeemed = try await store.redeem(
            TicketRedemption(
                digest: Make.digest(ticket), origin: origin, browser: Make.digest(50), token: Make.digest(70),
                requiresFactor: false, now: Make.start + 1))
        guard case .entered = redeemed?.outcome else { return false }
        return true
    }
}

extension Ways {
    /// Which of the specimens are left, in the order of their names.
    func left(of way: WayIn) async throws -> String {
        let factors = try await store.factors(accountID: "a")
        func names(_ names: [String]) -> String {
            names.isEmpty
                ? "none" : names.count == 2 ? "all" : names[0].split(separator: " ").last.map(String.init) ?? ""
        }
        func all(_ isThere: Bool) -> String { isThere ? "all" : "none" }
        switch way {
        case .password: return try await password()
        case .identity: return names(try await store.identities(accountID: "a").map(\.id))
        case .silentPasskey: return names(factors.passkeys.filter { !$0.isSecondFactor }.map(\.id))
        case .factor:
            // The app and the codes are new ones.
            let passkeys = names(factors.passkeys.filter(\.isSecondFactor).map(\.id))
            #expect((factors.totp != nil) == (passkeys == "all"))
            #expect((factors.recoveryCodes != nil) == (passkeys == "all"))
            return passkeys
        case .factorRemoval: return all(factors.removalDueAt != nil)
        case .trustedBrowser:
            return all(try await store.trustedUntil(browser: Make.digest(90), accountID: "a") != nil)
        case .pendingLogin: return all(try await store.pendingLogin(Make.digest(4), now: Make.start) != nil)
        case .session: return all(try await store.session(Make.digest(2)) != nil)
        case .application:
            let isOpen = try await store.applicationSession(Make.digest(70)) != nil
            let mayEnter = try await enters(21)
            #expect(isOpen == mayEnter)
            return all(isOpen)
        case .heldForm:
            return all(try await store.takeHeldForm(Make.digest(30), sessionID: "session-1", now: Make.start) != nil)
        case .passwordReset:
            let isProved = try await store.proveReset(
                flow: Make.digest(31), attempt: Make.attempt(9), next: Make.digest(32), until: Self.endOfTime,
                now: Make.start)
            return all(isProved)
        case .emailChange: return all(try await store.pendingEmailChange(flow: Make.digest(41), now: Make.start) != nil)
        case .emailUndo:
            let links = try await [61 as UInt8, 62].asyncFilter {
                try await store.emailUndo(Make.digest($0), now: Make.start) != nil
            }
            return links == [61, 62] ? "all" : links == [61] ? "old" : links.isEmpty ? "none" : "\(links)"
        }
    }

    private func password() async throws -> String {
        for email in ["first@x.example", "second@x.example", "fourth@x.example"] {
            let record = try await store.loginRecord(emailKey: email, failuresKey: [])
            guard record.account != nil else { continue }
            return record.passwordHash.map { $0.phc == "phc" ? "all" : $0.phc } ?? "none"
        }
        return "no account"
    }
}

extension Sequence {
    fileprivate func asyncFilter(_ isIncluded: (Element) async throws -> Bool) async rethrows -> [Element] {
        var all: [Element] = []
        for element in self where try await isIncluded(element) { all.append(element) }
        return all
    }
}
