import Foundation
import Testing
import Vestibule

struct AccountStoreTests {
    @Test(arguments: Engine.allCases)
    func `a new password renews one session and ends the others`(engine: Engine) async throws {
        let store = try engine.open()
        _ = try await store.addAccount(Make.account("a", token: 1))
        try await store.loginSucceeded(
            LoginSuccess(
                session: Make.session(2, account: "a"), failuresKey: [1], returned: [], rehash: nil, events: []))
        try await store.changePassword(
            PasswordHash(phc: "new"), accountID: "a",
            renewal: SessionRenewal(sessionID: "session-1", tokenDigest: Make.digest(9), provedAt: Make.start + 60),
            notice: Make.mail(), event: Make.event(.passwordChanged, account: "a")
        )
        #expect(try await store.session(Make.digest(1)) == nil)
        #expect(try await store.session(Make.digest(2)) == nil)
        #expect(try await store.session(Make.digest(9))?.session.provedAt == Make.start + 60)
        #expect(try await store.passwordHash(accountID: "a")?.phc == "new")
    }

    @Test(arguments: Engine.allCases)
    func `the export holds all events, the page the last fifty`(engine: Engine) async throws {
        let store = try engine.open()
        _ = try await store.addAccount(Make.account("a", token: 1))
        try await store.rename(
            to: "Ada King", accountID: "a", event: Make.event(.profileChanged, account: "a", at: Make.start + 1))
        for number in 2...120 {
            try await store.noteExport(
                Make.event(.exported, account: "a", at: Make.start + Double(number)), renewal: nil)
        }
        let overview = try await store.accountOverview(accountID: "a", events: 50, now: Make.start)
        #expect(overview.events.count == 50 && overview.events.first?.at == Make.start + 120)
        let export = try #require(try await store.export(accountID: "a", now: Make.start))
        let json = String(decoding: try export.json(at: Make.start), as: UTF8.self)
        #expect(export.securityEvents.count == 121 && json.contains("\"display_name\" : \"Ada King\""))
        #expect(json.contains("\"exported_at\" : \"2026-11-18T"))
    }
}
