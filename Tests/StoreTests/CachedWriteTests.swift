import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import PasswordHashing
@testable import Vestibule

/// Writes that end or renew what somebody reads just now, one after another with reads in between.
@Suite(.closesStores, .timeLimit(.minutes(15)))
struct CachedWriteTests {
    /// Three sessions of one account; what is read of them here is remembered.
    private func house(_ engine: Engine) async throws -> any Store {
        let store = try await engine.open()
        _ = try await store.addAccount(Make.account("a", token: 1))
        for token in UInt8(2)...3 {
            try await store.loginSucceeded(
                StoredLogin(
                    session: Make.session(token, account: "a"), failuresKey: [1], returned: [], proved: nil,
                    rehash: nil,
                    events: []))
        }
        #expect(try await open(in: store) == [1, 2, 3])
        return store
    }

    /// The tokens that open a session, each asked for twice: by the database and by what is
    /// remembered of it.
    private func open(in store: any Store) async throws -> [UInt8] {
        var tokens: [UInt8] = []
        for token in UInt8(1)...9 {
            let record = try await store.session(Make.digest(token))
            #expect(try await store.session(Make.digest(token)) == record)
            if record != nil { tokens.append(token) }
        }
        let overview = try await store.accountOverview(accountID: "a", events: 5, now: Make.start)
        #expect(overview.sessions.count == tokens.count)
        return tokens
    }

    @Test(arguments: Engine.allCases)
    func `ending the others leaves one, and a renewal its new token alone`(engine: Engine) async throws {
        let store = try await house(engine)
        let next = SessionRenewal(
            sessionID: "session-2", replaces: Make.digest(2), tokenDigest: Make.digest(7),
            proof: Session.Proof(at: Make.start))
        _ = try await store.endOtherSessions(
            than: Make.presented(2), renewal: next, event: Make.event(.sessionEnded, account: "a"))
        #expect(try await open(in: store) == [7])
        let renewal = SessionRenewal(
            sessionID: "session-2", replaces: Make.digest(7), tokenDigest: Make.digest(8),
            proof: Session.Proof(at: Make.start + 60))
        try await store.renewSession(renewal, event: Make.event(.proved, account: "a"))
        #expect(try await open(in: store) == [8])
        #expect(try await store.session(Make.digest(8))?.session.proof.at == Make.start + 60)
        #expect(
            try await store.endSession(
                id: "session-2", accountID: "a", by: nil, event: Make.event(.logout, account: "a")))
        #expect(try await open(in: store) == [])
    }

    @Test(arguments: Engine.allCases)
    func `a reset ends sessions at once, one that was only asked for ends none`(
        engine: Engine
    ) async throws {
        let store = try await house(engine)
        let pending = PendingReset(code: Make.pendingCode(flow: 20), locale: "en")
        try await store.addPendingReset(pending, replaces: nil, mail: Make.mail())
        #expect(try await open(in: store) == [1, 2, 3])
        let redemption = PasswordResetRedemption(
            passwordHash: Make.newHash, failuresKey: [1], notice: Make.mail(),
            event: Make.event(.passwordReset, account: nil))
        let reset = try await store.redeemReset(
            flow: Make.digest(20), attempt: Make.attempt(9), redemption: redemption, now: Make.start)
        #expect(reset == "a")
        #expect(try await open(in: store) == [])
    }

    @Test(arguments: Engine.allCases)
    func `a disabled account's sessions end at once, and so do a deleted one's`(engine: Engine) async throws {
        let disabled = try await house(engine)
        #expect(try await disabled.disableAccount(id: "a", event: Make.event(.accountDisabled, account: "a")))
        #expect(try await open(in: disabled) == [])
        let deleted = try await house(engine)
        let erasure = AccountErasure(
            accountID: "a", session: nil, emailKey: "ada@example.com", failuresKey: [1],
            mailboxes: ["ada@example.com": .init(recipients: [], farewell: Make.mail())],
            event: Make.event(.accountDeleted, account: nil))
        #expect(try await deleted.erase(erasure))
        #expect(try await open(in: deleted) == [])
    }
}
