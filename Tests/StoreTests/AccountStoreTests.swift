import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import PasswordHashing
@testable import Vestibule

@Suite(.closesStores)
struct AccountStoreTests {
    @Test(arguments: Engine.allCases)
    func `a new password renews one session and ends the others`(engine: Engine) async throws {
        let store = try await engine.open()
        _ = try await store.addAccount(Make.account("a", token: 1))
        try await store.loginSucceeded(
            StoredLogin(
                session: Make.session(2, account: "a"), failuresKey: [1], returned: [], proved: nil, rehash: nil,
                events: []))
        try await store.changePassword(
            PasswordHash(phc: "new"), from: PasswordHash(phc: "phc"), accountID: "a",
            renewal: SessionRenewal(
                sessionID: "session-1", replaces: Make.digest(1), tokenDigest: Make.digest(9),
                proof: Session.Proof(at: Make.start + 60)
            ),
            ways: .nothing, notice: Make.mail(), event: Make.event(.passwordChanged, account: "a")
        )
        #expect(try await store.session(Make.digest(1)) == nil)
        #expect(try await store.session(Make.digest(2)) == nil)
        #expect(try await store.session(Make.digest(9))?.session.proof.at == Make.start + 60)
        let record = try await store.loginRecord(emailKey: "ada@example.com", failuresKey: [])
        #expect(record.passwordHash?.phc == "new")
    }

    @Test(arguments: Engine.allCases)
    func `the export holds all events, the page the last fifty`(engine: Engine) async throws {
        let store = try await engine.open()
        _ = try await store.addAccount(Make.account("a", token: 1))
        try await store.rename(
            to: "Ada King", by: Make.presented(), event: Make.event(.profileChanged, account: "a", at: Make.start + 1))
        for number in 2...120 {
            try await store.noteExport(
                by: Make.presented(), event: Make.event(.exported, account: "a", at: Make.start + Double(number)))
        }
        let overview = try await store.accountOverview(accountID: "a", events: 50, now: Make.start)
        #expect(overview.events.count == 50 && overview.events.first?.at == Make.start + 120)
        // What was read for one is not what another asked for.
        #expect(try await store.accountOverview(accountID: "a", events: 0, now: Make.start).events.isEmpty)
        #expect(try await store.accountOverview(accountID: "a", events: 50, now: Make.start).events.count == 50)
        let export = try #require(try await store.export(accountID: "a", now: Make.start))
        let json = String(decoding: try export.json(at: Make.start, factors: [:]), as: UTF8.self)
        #expect(export.overview.events.count == 121 && json.contains("\"display_name\" : \"Ada King\""))
        #expect(json.contains("\"exported_at\" : \"2026-11-18T"))
    }

    private func change(_ store: any Store, from hash: String, token: UInt8, at: Date = Make.start) async throws {
        try await store.changePassword(
            PasswordHash(phc: "thief"), from: PasswordHash(phc: hash), accountID: "a",
            renewal: SessionRenewal(
                sessionID: "session-1", replaces: Make.digest(token), tokenDigest: Make.digest(9),
                proof: Session.Proof(at: Make.start)),
            ways: .nothing, notice: Make.mail(), event: Make.event(.passwordChanged, account: "a", at: at)
        )
    }

    @Test(arguments: Engine.allCases)
    func `browsers are known since the account was made, or since its password was replaced`(
        engine: Engine
    ) async throws {
        let store = try await engine.open()
        #expect(try await store.browsersKnownSince(emailKey: "ada@example.com") == nil)
        _ = try await store.addAccount(Make.account("a", token: 1))
        #expect(try await store.browsersKnownSince(emailKey: "ada@example.com") == Make.start)
        try await change(store, from: "phc", token: 1, at: Make.start + 5)
        #expect(try await store.browsersKnownSince(emailKey: "ada@example.com") == Make.start + 5)
    }

    /// Ends what a thief may hold, by what began at `Make.start + 5`.
    private static let ends: [String: @Sendable (any Store) async throws -> Void] = [
        "change": { store in
            try await store.changePassword(
                PasswordHash(phc: "new"), from: PasswordHash(phc: "phc"), accountID: "a",
                renewal: Make.renewal(from: 1, to: 9, nil), ways: .nothing, notice: Make.mail(),
                event: Make.event(.passwordChanged, account: "a", at: Make.start + 5))
        },
        "factor": { store in
            try await store.setKey(Make.totp(), Make.change(at: Make.start + 5, addsFactor: true))
        },
        "reset": { store in
            let pending = PendingReset(code: Make.pendingCode(flow: 20), locale: "en")
            try await store.addPendingReset(pending, replaces: nil, mail: Make.mail())
            let redemption = PasswordResetRedemption(
                passwordHash: Make.newHash, failuresKey: Make.key(1), notice: Make.mail(),
                event: Make.event(.passwordReset, account: nil, at: Make.start + 5))
            _ = try await store.redeemReset(
                flow: Make.digest(20), attempt: Make.attempt(9), redemption: redemption, now: Make.start + 5)
        },
    ]

    @Test(arguments: Engine.allCases, ["change", "factor", "reset"])
    func `browsers that sign in while an account's password is replaced are not known`(
        engine: Engine, end: String
    ) async throws {
        let store = try await engine.open()
        _ = try await store.addAccount(Make.account("a", token: 1))
        // A clock that is put back later has signed somebody in in two minutes; that is no reason
        // to forget browsers until then.
        for (token, seconds) in [(UInt8(2), 7.0), (3, 8), (4, 120)] {
            let at = Make.start + seconds
            try await store.loginSucceeded(
                StoredLogin(
                    session: Make.session(token, account: "a", at: at), failuresKey: nil,
                    proved: PasswordHash(phc: "phc"), events: [Make.event(.login, account: "a", at: at)]))
        }
        // Who has signed out meanwhile has the cookie, too.
        _ = try await store.endSession(
            id: "session-3", accountID: "a", by: nil, event: Make.event(.logout, account: "a", at: Make.start + 9))
        try await Self.ends[end]?(store)
        #expect(try await store.browsersKnownSince(emailKey: "ada@example.com")?.ms == (Make.start + 8).ms + 1)
    }

    @Test(arguments: Engine.allCases)
    func `what was proved with a password or token that has changed since writes nothing`(engine: Engine) async throws {
        let store = try await engine.open()
        _ = try await store.addAccount(Make.account("a", token: 1))
        await #expect(throws: Superseded.self) { try await change(store, from: "older", token: 1) }
        await #expect(throws: Superseded.self) { try await change(store, from: "phc", token: 2) }
        let login = StoredLogin(
            session: Make.session(3, account: "a"), failuresKey: [1], returned: [],
            proved: PasswordHash(phc: "older"), rehash: PasswordHash(phc: "thief"), events: [])
        await #expect(throws: Superseded.self) { try await store.loginSucceeded(login) }
        let record = try await store.loginRecord(emailKey: "ada@example.com", failuresKey: [])
        #expect(record.passwordHash?.phc == "phc")
        #expect(try await store.session(Make.digest(3)) == nil)
        #expect(try await store.session(Make.digest(1)) != nil)
    }

    @Test(arguments: Engine.allCases)
    func `what concerns a deleted account is superseded, not a fault`(engine: Engine) async throws {
        let store = try await engine.open()
        await #expect(throws: Superseded.self) {
            try await store.rename(
                to: "x", by: Make.presented(account: "gone"), event: Make.event(.profileChanged, account: "gone"))
        }
        await #expect(throws: Superseded.self) {
            try await store.loginSucceeded(
                StoredLogin(
                    session: Make.session(3, account: "gone"), failuresKey: [1], returned: [], proved: nil, rehash: nil,
                    events: []))
        }
    }
}
