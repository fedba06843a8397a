import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import PasswordHashing
@testable import Vestibule
@testable import VestibuleSQL
@testable import VestibuleSQLite

@Suite(.closesStores, .timeLimit(.minutes(15)))
struct ImportStoreTests {
    private func staged(_ line: Int, _ email: EmailAddress, hash: String? = "phc", verified: Bool = true)
        -> StagedAccount
    {
        StagedAccount(
            line: line,
            account: Account(
                id: "imported-\(line)", email: email, displayName: "Ada", createdAt: Make.start,
                verifiedAt: verified ? Make.start : nil, locale: "de", termsVersion: nil
            ),
            passwordHash: hash.map(PasswordHash.init(phc:))
        )
    }

    @Test(arguments: Engine.allCases)
    func `an app and codes come along with the accounts that are made`(engine: Engine) async throws {
        let store = try await engine.open()
        #expect(try await store.addAccount(Make.account("a", email: "taken@example.com")))
        let codes = Make.codes(Make.key32(1), Make.key32(2))
        let all = ([("ada@example.com", 1), ("taken@example.com", 2)] as [(EmailAddress, Int)]).map { email, line in
            StagedAccount(
                line: line, account: staged(line, email).account, passwordHash: nil,
                factors: ImportedFactors(totp: [7, 8], codes: codes))
        }
        try await store.beginImport()
        _ = try await store.stage(all + [staged(3, "grace@example.com")])
        #expect(try await store.completeImport(skipTaken: true, event: event) == .done(2, taken: []))
        let factors = try await store.factors(accountID: "imported-1")
        #expect(factors.totp?.sealed == [7, 8])
        #expect(factors.recoveryCodes?.left == 2 && factors.recoveryCodes?.sealed == codes.sealedKey)
        for id in ["a", "imported-2", "imported-3"] as [AccountID] {
            let none = try await store.factors(accountID: id)
            #expect(none.totp == nil && none.recoveryCodes == nil)
        }
    }

    private func account(_ store: any Store, _ emailKey: String) async throws -> LoginRecord {
        try await store.loginRecord(emailKey: emailKey, failuresKey: [0])
    }

    private let event = Make.event(.accountsImported, account: nil)

    @Test(arguments: Engine.allCases)
    func `staged accounts are nobody's until they are made, whole and all at once`(engine: Engine) async throws {
        let store = try await engine.open()
        let all = [staged(1, "Ada@example.com"), staged(2, "bob@example.com", hash: nil, verified: false)]
        try await store.beginImport()
        #expect(try await store.stage(all).isEmpty)
        #expect(try await account(store, "ada@example.com").account == nil)
        #expect(try await store.completeImport(skipTaken: false, event: event) == .done(2, taken: []))
        for staged in all {
            let record = try await account(store, staged.account.email.key)
            #expect(record.account == staged.account && record.passwordHash == staged.passwordHash)
        }
    }

    @Test(arguments: Engine.allCases)
    func `an import leaves one event, and none where it makes no account`(engine: Engine) async throws {
        let (store, event) = (try await engine.open(), event)
        try await store.beginImport()
        #expect(try await store.completeImport(skipTaken: false, event: event) == .done(0, taken: []))
        #expect(try await store.latestEvents(accountID: nil, kind: nil, limit: 9).isEmpty)
        #expect(try await store.stage([staged(1, "bob@example.com")]).isEmpty)
        #expect(try await store.completeImport(skipTaken: false, event: event) == .done(1, taken: []))
        #expect(try await store.latestEvents(accountID: nil, kind: nil, limit: 9).map(\.event.id) == [event.id])
    }

    @Test(arguments: Engine.allCases)
    func `a mailbox staged or taken already is refused, and the first line keeps it`(engine: Engine) async throws {
        let store = try await engine.open()
        #expect(try await store.addAccount(Make.account("a", email: "ada@example.com")))
        try await store.beginImport()
        let refused = try await store.stage([
            staged(1, "bob@example.com"), staged(2, "ADA@example.com"), staged(4, "Bob@example.com"),
        ])
        #expect(Set(refused.map(\.line)) == [2, 4])
        #expect(refused.first { $0.line == 2 }?.refusal == .taken)
        #expect(refused.first { $0.line == 4 }?.refusal == .repeated(line: 1))
        let later = try await store.stage([staged(7, "bob@example.com"), staged(8, "ada@example.com")])
        #expect(Set(later.map(\.refusal.reason)) == Set([.repeated(line: 1), .taken].map(\ImportRefusal.reason)))
        #expect(try await store.completeImport(skipTaken: false, event: event) == .done(1, taken: []))
        #expect(try await account(store, "bob@example.com").account?.id == "imported-1")
        #expect(try await account(store, "ada@example.com").account?.id == "a")
    }

    @Test(arguments: Engine.allCases)
    func `an address taken since it was staged stops all, or is passed over`(engine: Engine) async throws {
        let store = try await engine.open()
        try await store.beginImport()
        #expect(try await store.stage([staged(1, "bob@example.com"), staged(5, "ada@example.com")]).isEmpty)
        #expect(try await store.addAccount(Make.account("a", email: "ada@example.com")))
        #expect(try await store.completeImport(skipTaken: false, event: event) == .taken([5]))
        #expect(try await account(store, "bob@example.com").account == nil)
        #expect(try await store.completeImport(skipTaken: true, event: event) == .done(1, taken: [5]))
        #expect(try await account(store, "bob@example.com").account?.id == "imported-1")
        #expect(try await account(store, "ada@example.com").account?.id == "a")
    }

    @Test(arguments: Engine.allCases)
    func `an import that ended, or one begun again, leaves nothing of the last`(engine: Engine) async throws {
        let store = try await engine.open()
        for _ in 0..<2 {
            try await store.beginImport()
            #expect(try await store.stage([staged(1, "ada@example.com")]).isEmpty)
        }
        try await store.endImport()
        try await store.beginImport()
        #expect(try await store.completeImport(skipTaken: false, event: event) == .done(0, taken: []))
        #expect(try await account(store, "ada@example.com").account == nil)
    }

    @Test func `staging waits for nobody and nobody waits for it`() async throws {
        let path = try Engine.temporaryFolder() + "/vestibule.sqlite"
        let (server, command) = (try SQLiteStore(path: path), try SQLiteStore(path: path))
        _ = try server.migrate()
        try await command.beginImport()
        #expect(try await command.stage([staged(1, "ada@example.com")]).isEmpty)
        try await server.checkWritable(now: Make.start)
        #expect(try await command.stage([staged(2, "bob@example.com")]).isEmpty)
        #expect(try await command.completeImport(skipTaken: false, event: event) == .done(2, taken: []))
        #expect(try await account(server, "bob@example.com").account != nil)
    }
}
