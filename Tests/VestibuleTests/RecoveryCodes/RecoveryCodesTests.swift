import Foundation
import HTTPTypes
import Logging
import TestSupport
import Testing

@testable import Essentials
@testable import Mailing
@testable import Serving
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct RecoveryCodesTests {
    private let email = "ada@example.com"

    /// Signs in with a code in a browser of its own.
    private func enter(_ house: House, _ code: String, at number: Int = 77) async throws -> Page {
        let visitor = house.visitor(at: "192.0.2.\(number)")
        try #require(await visitor.logIn(email: email).location == "/login/second")
        return try await visitor.post("/login/second", ["code": code])
    }

    @Test func `ten codes are shown once, and kept as digests`() async throws {
        try await withHouse(logLevel: .debug) { house in
            let member = try await house.member(email)
            try await member.addApp(at: house.clock.now)
            let before = try await member.get(Browser.codesPage)
            #expect(before.shows("You have none yet.") && before.recoveryCodes.isEmpty)
            let token = await member.cookies["vestibule"]
            let made = try await member.makeRecoveryCodes()
            #expect(made.status == .ok && made.headers[.cacheControl] == "no-store")
            #expect(Set(made.recoveryCodes).count == 10)
            // Another language would be asked for by GET, without the codes.
            #expect(before.shows("?lang=de") && !made.shows("?lang=de"))
            #expect(await member.cookies["vestibule"] != token)
            let after = try await member.get(Browser.codesPage)
            #expect(after.shows("You have 10 codes left.") && after.recoveryCodes.isEmpty)
            let mail = try await house.mailbox.next(to: email, subject: "New recovery codes were made")
            #expect(made.recoveryCodes.allSatisfy { !mail.text.contains($0) })
            #expect(try await house.events(of: email).first?.kind == .recoveryCodesMade)
            for code in made.recoveryCodes { #expect(!house.logs.lines.contains { $0.contains(code) }) }
        }
    }

    @Test func `new factors and codes are limited, so that they bury no mail, and what was added can go`() async throws
    {
        try await withHouse { house in
            let member = try await house.member(email)
            try await member.addApp(at: house.clock.now)
            var page = try await member.makeRecoveryCodes()
            for _ in 0..<40 where page.status == .ok { page = try await member.makeRecoveryCodes() }
            #expect(page.status == .tooManyRequests && page.shows("Too many attempts."))
            #expect(try await house.events(of: email).count { $0.kind == .recoveryCodesMade } == 29)
            #expect(try await member.submit("/account/security/totp/remove").status == .seeOther)
            #expect(try await house.factors(of: email).keys.isEmpty)
        }
    }

    @Test func `they come as a file from the page that shows them`() async throws {
        try await withHouse { house in
            let member = try await house.member(email)
            try await member.addApp(at: house.clock.now)
            let made = try await member.makeRecoveryCodes()
            var fields = ["csrf": made.csrf ?? "", "codes": try made.hidden("codes")]
            let file = try await member.post("/account/security/recovery-codes/file", fields)
            #expect(file.headers[.contentType] == "text/plain; charset=utf-8")
            #expect(file.headers[.contentDisposition] == "attachment; filename=\"recovery-codes.txt\"")
            #expect(file.headers[.cacheControl] == "no-store")
            let lines = file.body.components(separatedBy: "\r\n")
            #expect(lines.first == "Recovery codes of ada@example.com for Vestibule")
            #expect(Array(lines.dropFirst(3).dropLast()) == made.recoveryCodes)
            let other = try await house.member("eve@example.com")
            fields["csrf"] = try await other.get("/account").csrf ?? ""
            let stolen = try await other.post("/account/security/recovery-codes/file", fields)
            #expect(stolen.leads(to: Browser.codesPage, saying: .recoveryCodesGone))
            house.clock.advance(by: .seconds(1800))
            fields["csrf"] = made.csrf ?? ""
            let late = try await member.post("/account/security/recovery-codes/file", fields)
            #expect(late.leads(to: Browser.codesPage, saying: .recoveryCodesGone))
        }
    }

    @Test func `each signs in once, however it is typed, and new ones end the old`() async throws {
        try await withHouse([.limitLogin: "off", .limitVerify: "off"]) { house in
            let member = try await house.member(email)
            try await member.addApp(at: house.clock.now)
            let codes = try await member.makeRecoveryCodes().recoveryCodes
            let typed = codes[0].uppercased().replacingOccurrences(of: "-", with: " ")
            let before = house.logs.lines(of: "authn_login_success").count
            #expect(try await enter(house, typed, at: 70).location == "/account")
            // One sign-in, counted once.
            #expect(house.logs.lines(of: "authn_login_success").count == before + 1)
            #expect(house.logs.lines(of: "authn_recovery_code_used").count == 1)
            #expect(try await enter(house, codes[0], at: 71).status == .unprocessableContent)
            #expect(try await member.get(Browser.codesPage).shows("You have 9 codes left."))
            let new = try await member.makeRecoveryCodes().recoveryCodes
            #expect(try await enter(house, codes[1], at: 72).status == .unprocessableContent)
            #expect(try await enter(house, new[0], at: 73).location == "/account")
        }
    }

    @Test func `of twenty uses at once one counts`() async throws {
        try await withHouse([.limitLogin: "off", .limitVerify: "off"]) { house in
            let member = try await house.member(email)
            try await member.addApp(at: house.clock.now)
            let code = try #require(try await member.makeRecoveryCodes().recoveryCodes.first)
            let entered = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 1...20 {
                    group.addTask { try await enter(house, code, at: number).location == "/account" }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(entered == 1)
        }
    }

    @Test func `at two left, and at none, the page after the sign-in says so`() async throws {
        try await withHouse([.limitLogin: "off", .limitVerify: "off"]) { house in
            let member = try await house.member(email)
            try await member.addApp(at: house.clock.now)
            let codes = try await member.makeRecoveryCodes().recoveryCodes
            for (number, code) in codes.enumerated() {
                let entered = try await enter(house, code, at: 60 + number)
                let isLow = (7...8).contains(number)
                #expect(entered.leads(to: "/account", saying: .recoveryCodesLow) == isLow, "\(number)")
                #expect((entered.flash?.notice.sentenceKey == "notice.recovery_codes_used_up") == (number == 9))
                let page = try await member.get(Browser.codesPage)
                #expect(page.shows("Make new ones soon.") == isLow)
            }
            for page in [try await member.get(Browser.codesPage), try await member.get("/account/security")] {
                #expect(page.shows("You have no codes left.") && page.shows("Missing") && !page.shows("Few left"))
                #expect(!page.shows("New codes replace"))
            }
        }
    }

    @Test func `to somebody who never made any the page says what they are for`() async throws {
        try await withHouse { house in
            let member = try await house.member(email)
            try await member.addApp(at: house.clock.now)
            let page = try await member.get("/account/security")
            #expect(page.shows("Ten codes to print, for the day you lose your phone or passkey."))
            #expect(!page.shows("Make new ones soon."))
        }
    }

    @Test func `without a factor there is nothing they stand in for`() async throws {
        try await withHouse { house in
            let member = try await house.member(email)
            #expect(try await member.get(Browser.codesPage).shows("Add an authenticator app or a passkey first:"))
            let refused = try await member.makeRecoveryCodes()
            #expect(refused.status == .unprocessableContent && refused.recoveryCodes.isEmpty)
            #expect(refused.shows("Add an authenticator app or a passkey first:"))
        }
    }

    @Test func `if the last factor is removed meanwhile, no codes are made and the session stays`() async throws {
        try await withHouse { house in
            let (member, other) = (try await house.member(email), house.visitor(at: "192.0.2.77"))
            try await other.logIn(email: email)
            let app = try await member.addApp(at: house.clock.now)
            let (services, record) = (house.services, try await house.record(of: member))
            let factors = RequestFactors(of: record.accountID)
            try #require(try await factors.read(services.store).asksSecondStep)
            house.clock.advance(by: .seconds(30))
            let csrf = try await other.get("/account").csrf ?? ""
            let asked = try await other.post("/account/security/totp/remove", ["csrf": csrf])
            let removed = try await other.prove(on: asked, code: app.code(at: house.clock.now))
            try #require(removed.leads(to: "/account/security", saying: .totpRemoved))
            let sessions = Sessions(services: services)
            let changes = FactorChanges(
                sessions: sessions, mailer: services.mailer, audit: services.audit,
                undo: FactorUndoLinks(key: services.secretKey, now: services.now), browsers: services.browsers,
                limits: services.limits, policy: services.settings.factorPolicy)
            let rule = RecoveryCodes(
                store: services.store, changes: changes, key: services.secretKey, random: services.random,
                now: services.now)
            await #expect(throws: Refusals([.factorMissing])) {
                _ = try await rule.make(record, factors, visitor: .unknown)
            }
            #expect(try await member.isSignedIn())
        }
    }

    @Test func `where passkeys are off the pages offer none`() async throws {
        try await withHouse([.passkeys: "off"]) { house in
            let member = try await house.member(email)
            #expect(try await member.get(Browser.codesPage).shows("Add an authenticator app first:"))
            try await member.addApp(at: house.clock.now)
            let security = try await member.get("/account/security")
            #expect(security.shows("Ten codes to print, for the day you lose your phone."))
            for page in [security, try await member.get(Browser.codesPage)] {
                #expect(!page.body.contains("passkey"))
            }
        }
    }

    @Test func `they take a recent proof`() async throws {
        try await withHouse { house in
            let member = try await house.member(email)
            let app = try await member.addApp(at: house.clock.now)
            house.clock.advance(by: .seconds(601))
            let asked = try await member.makeRecoveryCodes()
            #expect(asked.recoveryCodes.isEmpty)
            let made = try await member.prove(on: asked, code: app.code(at: house.clock.now))
            #expect(made.recoveryCodes.count == 10)
            #expect(try await member.isSignedIn())
            #expect(try await member.post(Browser.codesPage, [:]).status == .forbidden)
        }
    }
}
