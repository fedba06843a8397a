import Foundation
import GRDB
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule
@testable import VestibuleSQL
@testable import VestibuleSQLite

/// What is on the disk before it is answered. PostgreSQL waits for its standby each time.
struct DurabilityTests {
    /// What is lost with the machine is never told of.
    @Test(arguments: [(true, false, true), (false, true, true), (false, false, false)])
    func `that a session has entered an application which is told of its end, or may refresh, lasts`(
        hearsOfLogouts: Bool, mayRefresh: Bool, lasts: Bool
    ) async throws {
        let store = try SQLiteStore(inMemory: ())
        #expect(try await store.addAccount(Make.account("a")))
        try await store.addCode(Self.code, needsConsent: false)
        #expect(try await !isDurable(store))
        var settings = [
            "VESTIBULE_APP_NOTES_REDIRECTS": "https://notes.example/in", "VESTIBULE_APP_NOTES_TRUSTED": "on",
        ]
        if hearsOfLogouts { settings["VESTIBULE_APP_NOTES_LOGOUT_URL"] = "https://notes.example/out" }
        let application = try #require(
            try SettingsSources.read(flags: [:], environment: settings, environmentFile: nil).applications.first)
        let given = NewTokens(
            access: Make.digest(100), accessExpiresAt: Make.start + 600, family: mayRefresh ? Make.digest(200) : nil,
            refresh: mayRefresh ? Make.digest(101) : nil)
        let redemption = CodeRedemption(
            code: Make.digest(9), application: application, redirect: "https://notes.example/in",
            challenge: nil, given: given, requiresFactor: false, now: Make.start + 1,
            replayed: Make.event(.codeReplayed, account: nil))
        #expect(try await store.spendCode(redemption).grant != nil)
        #expect(try await isDurable(store) == lasts)
    }

    private static let code = NewCode(
        digest: Make.digest(9), application: "notes", redirect: "https://notes.example/in", challenge: nil, nonce: nil,
        scopes: "openid", session: PresentedSession(id: "session-1", accountID: "a", token: Make.digest(1)),
        expiresAt: Make.start + 60)

    /// Whether the last write waited for the disk.
    private func isDurable(_ store: SQLiteStore) async throws -> Bool {
        try await store.database.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") == 2 }
    }
}
