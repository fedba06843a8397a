import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// Codes and tokens of clients.
@Suite(.closesStores, .timeLimit(.minutes(15)))
struct ClientStoreTests {
    private static let challenge = String(repeating: "c", count: 43)

    private func code(
        _ digest: UInt8, token: UInt8 = 1, scopes: String = "openid offline_access", application: String = "notes",
        expires seconds: TimeInterval = 60
    ) -> NewCode {
        NewCode(
            digest: Make.digest(digest), application: application, redirect: "https://notes.example/in",
            challenge: Self.challenge, nonce: "n", scopes: scopes,
            session: PresentedSession(id: "session-1", accountID: "a", token: Make.digest(token)),
            expiresAt: Make.start + seconds)
    }

    private func tokens(_ number: UInt8) -> NewTokens {
        NewTokens(
            access: Make.digest(number), accessExpiresAt: Make.start + 600, family: Make.digest(200),
            refresh: Make.digest(number + 1))
    }

    private func redemption(
        _ digest: UInt8, application: String = "notes", redirect: String = "https://notes.example/in",
        challenge: String? = challenge, gives number: UInt8 = 100, after seconds: TimeInterval = 1
    ) -> CodeRedemption {
        CodeRedemption(
            code: Make.digest(digest), application: ProtectedApplication(name: application, origins: [], label: ""),
            redirect: redirect, challenge: challenge, given: tokens(number), requiresFactor: true,
            now: Make.start + seconds,
            replayed: Make.event(.codeReplayed, account: nil))
    }

    private func rotation(_ old: UInt8, gives number: UInt8, application: String = "notes") -> RefreshRotation {
        RefreshRotation(
            family: Make.digest(200), token: Make.digest(old),
            application: ProtectedApplication(name: application, origins: [], label: ""),
            given: tokens(number), requiresFactor: true, now: Make.start + 2,
            replayed: Make.event(.refreshReplayed, account: nil))
    }

    private func open(_ engine: Engine) async throws -> any Store {
        let store = try await engine.open()
        #expect(try await store.addAccount(Make.account("a", token: 1)))
        try await store.addCode(code(9), needsConsent: false)
        return store
    }

    @Test(arguments: Engine.allCases)
    func `a code is worth tokens once`(engine: Engine) async throws {
        let store = try await open(engine)
        let grant = try #require(await store.spendCode(redemption(9)).grant)
        #expect(grant.application == "notes" && grant.scopes == "openid offline_access" && grant.nonce == "n")
        #expect(grant.record.session == Make.session(1, account: "a").session)
        let opened = try #require(await store.accessGrant(Make.digest(100), at: Make.start + 599))
        #expect(opened.record.account.id == "a" && opened.nonce == nil)
        #expect(try await store.accessGrant(Make.digest(100), at: Make.start + 600) == nil)
        #expect(try await store.spendCode(redemption(9, gives: 110)).grant == nil)
        #expect(try await store.accessGrant(Make.digest(100), at: Make.start + 2) == nil)
        #expect(try await store.accessGrant(Make.digest(110), at: Make.start + 2) == nil)
        #expect(try await store.rotate(rotation(101, gives: 120)).grant == nil)
        #expect(try await store.events(accountID: "a", limit: 1).first?.kind == .codeReplayed)
    }

    @Test(arguments: Engine.allCases)
    func `a code is worth nothing with anything else than it was made for`(engine: Engine) async throws {
        let store = try await open(engine)
        for wrong in [
            redemption(8), redemption(9, application: "wiki"), redemption(9, redirect: "https://notes.example/in/"),
            redemption(9, challenge: nil), redemption(9, challenge: String(repeating: "d", count: 43)),
            redemption(9, after: 60),
        ] {
            #expect(try await store.spendCode(wrong).grant == nil)
        }
        #expect(try await store.spendCode(redemption(9)).grant != nil)
        let stale = code(10, token: 2)
        await #expect(throws: Superseded.self) { try await store.addCode(stale, needsConsent: false) }
    }

    @Test(arguments: Engine.allCases)
    func `a code that comes again once it has expired still ends what it gave`(engine: Engine) async throws {
        let store = try await open(engine)
        #expect(try await store.spendCode(redemption(9)).grant != nil)
        try await store.purge(PurgeBounds(now: Make.start + 61, keepEventsSince: Make.start))
        #expect(try await store.spendCode(redemption(9, gives: 110, after: 61)).grant == nil)
        #expect(try await store.accessGrant(Make.digest(100), at: Make.start + 62) == nil)
    }

    @Test(arguments: Engine.allCases)
    func `of a session the newest codes are worth tokens, and as many access tokens open`(
        engine: Engine
    ) async throws {
        let store = try await open(engine)
        let numbers = 10..<(10 + UInt8(NewCode.mostPerSession))
        for number in numbers {
            try await store.addCode(code(number, expires: 60 + Double(number)), needsConsent: false)
        }
        #expect(try await store.spendCode(redemption(9)).grant == nil)
        for number in numbers {
            #expect(try await store.spendCode(redemption(number, gives: number)).grant != nil)
        }
        let more = try #require(numbers.last) + 1
        try await store.addCode(code(more), needsConsent: false)
        #expect(try await store.spendCode(redemption(more, gives: more)).grant != nil)
        var opened = 0
        for number in numbers.lowerBound...more
        where try await store.accessGrant(Make.digest(number), at: Make.start + 2) != nil {
            opened += 1
        }
        #expect(opened == NewTokens.mostPerSession)
    }

    @Test(arguments: Engine.allCases)
    func `of the spent codes of a session the newest are known again`(engine: Engine) async throws {
        let store = try await open(engine)
        let numbers = 10..<(12 + UInt8(NewCode.mostSpentPerSession))
        for number in numbers {
            try await store.addCode(code(number, scopes: "openid"), needsConsent: false)
            let redemption = redemption(number, gives: number, after: 1 + Double(number) / 100)
            #expect(try await store.spendCode(redemption).grant != nil)
        }
        try await store.addCode(code(5), needsConsent: false)
        var known: [UInt8] = []
        for number in numbers {
            if case .replayed = try await store.spendCode(redemption(number)) { known.append(number) }
        }
        #expect(known == Array(numbers.dropFirst(2)))
    }

    @Test(arguments: Engine.allCases)
    func `of fifty uses at once one wins, and what it gave has ended`(engine: Engine) async throws {
        let store = try await open(engine)
        let won = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<50 {
                let redemption = redemption(9, gives: UInt8(100 + number * 2))
                group.addTask { try await store.spendCode(redemption).grant != nil }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(won == 1)
        for number in 0..<50 {
            #expect(try await store.accessGrant(Make.digest(UInt8(100 + number * 2)), at: Make.start + 1) == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `with its session end codes and tokens, and codes with the session's token`(engine: Engine) async throws {
        let store = try await open(engine)
        try await store.addCode(code(10), needsConsent: false)
        #expect(try await store.spendCode(redemption(9)).grant != nil)
        try await store.renewSession(
            SessionRenewal(
                sessionID: "session-1", replaces: Make.digest(1), tokenDigest: Make.digest(3),
                proof: Session.Proof(at: Make.start)),
            event: Make.event(.proved, account: "a"))
        #expect(try await store.spendCode(redemption(10, gives: 110)).grant == nil)
        #expect(try await store.accessGrant(Make.digest(100), at: Make.start + 1) != nil)
        #expect(try await store.rotate(rotation(101, gives: 120)).grant != nil)
        #expect(
            try await store.endSession(
                id: "session-1", accountID: "a", by: nil, event: Make.event(.logout, account: "a")))
        #expect(try await store.accessGrant(Make.digest(120), at: Make.start + 1) == nil)
        #expect(try await store.rotate(rotation(121, gives: 130)).grant == nil)
    }

    /// The session goes on, but a thief may have had a copy of its token.
    @Test(arguments: Engine.allCases)
    func `signing in again ends tokens, and the client is told when the session ends`(engine: Engine) async throws {
        let store = try await open(engine)
        try await store.setSubscriptions([SignalSubscription(event: "logout", target: "app:notes")])
        #expect(try await store.spendCode(redemption(9)).grant != nil)
        let again = Make.session(3, account: "a", replaces: Make.digest(1))
        try await store.loginSucceeded(StoredLogin(session: again, failuresKey: nil))
        #expect(try await store.accessGrant(Make.digest(100), at: Make.start + 1) == nil)
        #expect(try await store.rotate(rotation(101, gives: 120)).grant == nil)
        #expect(try await store.signals(limit: 9).isEmpty)
        #expect(
            try await store.endSession(
                id: "session-1", accountID: "a", by: nil, event: Make.event(.logout, account: "a")))
        #expect(try await store.signals(limit: 9).map(\.signal.target) == ["app:notes"])
    }

    @Test(arguments: Engine.allCases, SessionEnd.allCases)
    func `that a session ends is told once to each application which it has entered and that hears of it`(
        engine: Engine, end: SessionEnd
    ) async throws {
        let store = try await open(engine)
        let targets = ["app:notes", "app:wiki", "app:idle"].map { SignalSubscription(event: "logout", target: $0) }
        try await store.setSubscriptions(Set(targets))
        for (number, application) in [(UInt8(11), "wiki"), (12, "deaf"), (13, "notes")] {
            try await store.addCode(code(number, scopes: "openid", application: application), needsConsent: false)
            let redemption = redemption(number, application: application, gives: 100 + number * 2)
            #expect(try await store.spendCode(redemption).grant != nil)
        }
        #expect(try await store.spendCode(redemption(9)).grant != nil)
        #expect(try await store.signals(limit: 9).isEmpty)
        try await end.happen(in: store)
        let told = try await store.signals(limit: 9).map(\.signal)
        #expect(told.map(\.target).sorted() == ["app:notes", "app:wiki"])
        #expect(told.allSatisfy { $0.event == "logout" && $0.accountID == "a" && $0.sessionID == "session-1" })
    }

    @Test(arguments: Engine.allCases)
    func `an older refresh token ends the family, another client's does not`(engine: Engine) async throws {
        let store = try await open(engine)
        #expect(try await store.spendCode(redemption(9)).grant != nil)
        guard case .refused = try await store.rotate(rotation(101, gives: 110, application: "wiki")) else {
            Issue.record("another client's try is no replay")
            return
        }
        #expect(try await store.rotate(rotation(101, gives: 120)).grant != nil)
        #expect(try await store.rotate(rotation(101, gives: 130)).grant == nil)
        #expect(try await store.rotate(rotation(121, gives: 140)).grant == nil)
        #expect(try await store.accessGrant(Make.digest(120), at: Make.start + 3) == nil)
        #expect(try await store.events(accountID: "a", limit: 1).first?.kind == .refreshReplayed)
    }

    @Test(arguments: Engine.allCases)
    func `of fifty rotations at once one wins, and the family has ended`(engine: Engine) async throws {
        let store = try await open(engine)
        #expect(try await store.spendCode(redemption(9)).grant != nil)
        let won = try await withThrowingTaskGroup(of: UInt8?.self) { group in
            for number in 0..<45 {
                let (number, rotation) = (UInt8(110 + number * 2), rotation(101, gives: UInt8(110 + number * 2)))
                group.addTask { try await store.rotate(rotation).grant == nil ? nil : number }
            }
            return try await group.reduce(into: [UInt8]()) { won, number in if let number { won.append(number) } }
        }
        #expect(won.count == 1)
        #expect(try await store.rotate(rotation((won.first ?? 0) + 1, gives: 250)).grant == nil)
    }

    @Test(arguments: Engine.allCases)
    func `consents are kept one an application, and end with what they gave`(engine: Engine) async throws {
        let store = try await open(engine)
        let session = PresentedSession(id: "session-1", accountID: "a", token: Make.digest(1))
        func give(_ scopes: String, _ at: TimeInterval) -> ApplicationConsent {
            ApplicationConsent(application: "notes", scopes: scopes, givenAt: Make.start + at)
        }
        for consent in [give("openid", 0), give("openid email", 1)] {
            _ = try await store.giveConsent(consent, by: session, event: Make.event(.consentGiven, account: "a"))
        }
        #expect(try await store.applicationConsents(accountID: "a") == [give("openid email", 1)])
        #expect(try await store.spendCode(redemption(9)).grant != nil)
        #expect(try await store.enteredClients(accountID: "a") == ["notes"])
        #expect(try await store.enteredClients(accountID: "b").isEmpty)
        let event = Make.event(.consentEnded, account: "a")
        try await store.addCode(code(10, scopes: "openid email"), needsConsent: true)
        await #expect(throws: ConsentMissing.self) {
            try await store.addCode(code(12, scopes: "openid profile"), needsConsent: true)
        }
        #expect(try await store.endConsent(to: "notes", by: session, event: event))
        #expect(try await store.applicationConsents(accountID: "a").isEmpty)
        #expect(try await store.spendCode(redemption(10)).grant == nil)
        await #expect(throws: ConsentMissing.self) {
            try await store.addCode(code(11, scopes: "openid"), needsConsent: true)
        }
        let gone = code(11, token: 2, scopes: "openid")
        await #expect(throws: Superseded.self) { try await store.addCode(gone, needsConsent: true) }
        #expect(try await store.accessGrant(Make.digest(100), at: Make.start + 2) == nil)
        #expect(try await store.rotate(rotation(101, gives: 110)).grant == nil)
        #expect(try await !store.endConsent(to: "notes", by: session, event: Make.event(.consentEnded, account: "a")))
    }

    @Test(arguments: Engine.allCases)
    func `what another account has in the application does not end with a consent`(engine: Engine) async throws {
        let store = try await open(engine)
        _ = try await store.addAccount(Make.account("b", email: "bob@example.com", token: 2))
        #expect(try await store.spendCode(redemption(9)).grant != nil)
        let event = Make.event(.consentEnded, account: "b")
        _ = try await store.endConsent(to: "notes", by: Make.presented(2, account: "b"), event: event)
        #expect(try await store.accessGrant(Make.digest(100), at: Make.start + 2) != nil)
        #expect(try await store.rotate(rotation(101, gives: 110)).grant != nil)
    }

    @Test(arguments: Engine.allCases)
    func `an application has two secrets at most`(engine: Engine) async throws {
        let store = try await engine.open()
        func secret(_ number: UInt8) -> ClientSecret {
            ClientSecret(
                id: "k\(number)", application: "notes", digest: Make.digest(number),
                createdAt: Make.start + Double(number))
        }
        for number in [UInt8(1), 2] {
            #expect(
                try await store.addClientSecret(secret(number), event: Make.event(.clientSecretCreated, account: nil)))
        }
        #expect(try await !store.addClientSecret(secret(3), event: Make.event(.clientSecretCreated, account: nil)))
        let event = Make.event(.clientSecretRevoked, account: nil)
        #expect(try await store.revokeClientSecret(id: "k1", of: "notes", event: event))
        #expect(try await store.clientSecrets(of: "notes") == [secret(2)])
        #expect(try await store.clientSecrets(of: "wiki").isEmpty)
    }
}

/// What takes the row of a session away.
enum SessionEnd: CaseIterable, Sendable {
    case ended, replaced, disabled, erased, expired

    fileprivate func happen(in store: any Store) async throws {
        switch self {
        case .ended:
            let event = Make.event(.logout, account: "a")
            #expect(try await store.endSession(id: "session-1", accountID: "a", by: nil, event: event))
        case .replaced:
            _ = try await store.addAccount(Make.account("b", email: "bob@example.com", token: 2))
            let session = Make.session(3, account: "b", replaces: Make.digest(1))
            try await store.loginSucceeded(StoredLogin(session: session, failuresKey: nil))
        case .disabled:
            #expect(try await store.disableAccount(id: "a", event: Make.event(.accountDisabled, account: "a")))
        case .erased:
            let erasure = AccountErasure(
                accountID: "a", session: nil, emailKey: "ada@example.com", failuresKey: Make.key(1),
                mailboxes: ["ada@example.com": .init(recipients: [], farewell: Make.mail())],
                event: Make.event(.accountDeleted, account: nil))
            #expect(try await store.erase(erasure))
        case .expired:
            try await store.purge(PurgeBounds(now: Make.start + 2 * 86_400, keepEventsSince: Make.start))
        }
    }
}
