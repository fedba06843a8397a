import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct TOTPSetupTests {
    private let email = "ada@example.com"

    private func remove(_ member: Browser) async throws -> Page {
        try await member.post(
            "/account/security/totp/remove", ["csrf": try await member.get("/account").csrf ?? ""])
    }

    @Test func `an app counts once its code was right, and its owner hears of it`() async throws {
        try await withHouse { house in
            let member = try await house.member(email)
            let page = try await member.get(Browser.appPage)
            #expect(page.status == .ok && page.headers[.cacheControl] == "no-store")
            #expect(page.shows("<svg class=\"qr\" role=\"img\"") && page.shows("href=\"otpauth://totp/Vestibule:ada"))
            let app = try AuthenticatorApp(typing: try #require(page.appKey))
            let token = await member.cookies["vestibule"]
            let added = try await member.confirmApp(page, code: app.code(at: house.clock.now))
            #expect(added.leads(to: Browser.codesPage, saying: .totpAdded))
            #expect(await member.cookies["vestibule"] != token)
            _ = try await house.mailbox.next(to: email, subject: "An authenticator app was added")
            #expect(try await house.events(of: email).first?.kind == .totpAdded)
            #expect(try await member.get(Browser.appPage).shows("Remove the app"))
            let visitor = house.visitor(at: "192.0.2.77")
            #expect(try await visitor.logIn(email: email).location == "/login/second")
        }
    }

    @Test func `looking writes nothing, and each look has a key of its own`() async throws {
        try await withHouse { house in
            let member = try await house.member(email)
            let keys = try await [member.get(Browser.appPage).appKey, member.get(Browser.appPage).appKey]
            #expect(keys[0] != nil && keys[0] != keys[1])
            let account = try #require(
                await house.services.store.loginRecord(emailKey: email, failuresKey: []).account)
            #expect(try await house.services.store.factors(accountID: account.id) == AccountFactors())
        }
    }

    @Test func `a wrong code shows the same key again`() async throws {
        try await withHouse { house in
            let member = try await house.member(email)
            let page = try await member.get(Browser.appPage)
            let app = try AuthenticatorApp(typing: try #require(page.appKey))
            let stale = app.code(at: house.clock.now - 90)
            for (code, sentence) in [
                (stale, "Enter the one your app shows now"), ("", "Enter the six digits from the app."),
            ] {
                let refused = try await member.confirmApp(page, code: code)
                #expect(refused.status == .unprocessableContent && refused.shows(sentence))
                #expect(refused.title?.hasPrefix("Error: ") == true && refused.appKey == page.appKey)
                #expect(try refused.hidden("setup") == page.hidden("setup"))
            }
            let added = try await member.confirmApp(page, code: app.code(at: house.clock.now - 30))
            #expect(added.leads(to: Browser.codesPage, saying: .totpAdded))
        }
    }

    @Test func `a key is good in its session for half an hour`() async throws {
        try await withHouse { house in
            let member = try await house.member(email)
            let page = try await member.get(Browser.appPage)
            let app = try AuthenticatorApp(typing: try #require(page.appKey))
            let other = try await house.member("eve@example.com")
            let csrf = try await other.get("/account").csrf ?? ""
            let setup = try page.hidden("setup")
            let stolen = try await other.post(
                Browser.appPage, ["csrf": csrf, "setup": setup, "code": app.code(at: house.clock.now)])
            #expect(stolen.leads(to: "/account/security/totp?replace=yes", saying: .totpKeyExpired))
            house.clock.advance(by: .seconds(1800))
            let asked = try await member.confirmApp(page, code: app.code(at: house.clock.now))
            let late = try await member.post(
                asked.heldForm ?? "", ["csrf": page.csrf ?? "", "current_password": Browser.goodPassword])
            #expect(late.leads(to: "/account/security/totp?replace=yes", saying: .totpKeyExpired))
        }
    }

    @Test func `ten minutes after the password it is asked for, and the code goes on`() async throws {
        try await withHouse { house in
            let member = try await house.member(email)
            let page = try await member.get(Browser.appPage)
            let app = try AuthenticatorApp(typing: try #require(page.appKey))
            house.clock.advance(by: .seconds(601))
            #expect(try await member.get(Browser.appPage).shows("Confirm it&#39;s you"))
            let asked = try await member.confirmApp(page, code: app.code(at: house.clock.now))
            #expect(asked.shows("Confirm it&#39;s you"))
            let held = try #require(asked.heldForm)
            var fields = ["csrf": page.csrf ?? "", "current_password": "wrong"]
            #expect(try await member.post(held, fields).status == .unprocessableContent)
            fields["current_password"] = Browser.goodPassword
            let added = try await member.post(held, fields)
            #expect(added.leads(to: Browser.codesPage, saying: .totpAdded))
        }
    }

    @Test func `another app takes the place of the first`() async throws {
        try await withHouse { house in
            let member = try await house.member(email)
            let first = try await member.addApp(at: house.clock.now)
            #expect(try await member.get(Browser.appPage).shows("href=\"/account/security/totp?replace=yes\""))
            house.clock.advance(by: .seconds(30))
            let page = try await member.get("/account/security/totp?replace=yes")
            #expect(page.shows("Your current app works until"))
            let second = try AuthenticatorApp(typing: try #require(page.appKey))
            #expect(first.key != second.key)
            try await member.confirmApp(page, code: second.code(at: house.clock.now))
            house.clock.advance(by: .seconds(60))
            let visitor = house.visitor(at: "192.0.2.77")
            try await visitor.logIn(email: email)
            let old = try await visitor.post("/login/second", ["code": first.code(at: house.clock.now)])
            #expect(old.status == .unprocessableContent)
            let new = try await visitor.post("/login/second", ["code": second.code(at: house.clock.now)])
            #expect(new.location == "/account")
        }
    }

    @Test func `an app is removed after a recent proof, and its owner hears of it`() async throws {
        try await withHouse { house in
            let member = try await house.member(email)
            let app = try await member.addApp(at: house.clock.now)
            house.clock.advance(by: .seconds(601))
            let asked = try await remove(member)
            #expect(try await member.prove(on: asked, code: "000000").status == .unprocessableContent)
            let removed = try await member.prove(on: asked, code: app.code(at: house.clock.now))
            #expect(removed.leads(to: "/account/security", saying: .totpRemoved))
            #expect(try await member.isSignedIn())
        }
    }

    @Test func `a new key for another app takes a code of the first`() async throws {
        try await withHouse { house in
            let member = try await house.member(email)
            let app = try await member.addApp(at: house.clock.now)
            house.clock.advance(by: .seconds(601))
            let asked = try await member.get("/account/security/totp?replace=yes")
            #expect(asked.appKey == nil)
            let proved = try await member.prove(on: asked, code: app.code(at: house.clock.now))
            #expect(proved.location == "/account/security/totp?replace=yes")
            #expect(try await member.get("/account/security/totp?replace=yes").appKey != nil)
        }
    }

    @Test func `without an app a sign-in asks for nothing more`() async throws {
        try await withHouse { house in
            let member = try await house.member(email)
            try await member.addApp(at: house.clock.now)
            let removed = try await remove(member)
            #expect(removed.leads(to: "/account/security", saying: .totpRemoved))
            _ = try await house.mailbox.next(to: email, subject: "Your authenticator app was removed")
            #expect(try await house.events(of: email).first?.kind == .totpRemoved)
            #expect(try await remove(member).location == Browser.appPage)
            #expect(try await house.visitor(at: "192.0.2.77").logIn(email: email).location == "/account")
        }
    }

    @Test func `strangers, forged forms and a house without second factors get nothing`() async throws {
        try await withHouse { house in
            #expect(try await house.visitor().get(Browser.appPage).location?.hasPrefix("/login?") == true)
            let member = try await house.member(email)
            #expect(try await member.post(Browser.appPage, ["code": "123456"]).status == .forbidden)
            #expect(try await member.post("/account/security/totp/remove", [:]).status == .forbidden)
        }
        try await withHouse([.secondFactor: "off"]) { house in
            let member = try await house.member(email)
            for page in [Browser.appPage, Browser.codesPage] { #expect(try await member.get(page).status == .notFound) }
        }
    }

    @Test func `a code works once at the sign-in, of twenty at once one`() async throws {
        try await withHouse([.limitVerify: "off", .limitLogin: "off"]) { house in
            let member = try await house.member(email)
            let app = try await member.addApp(at: house.clock.now)
            house.clock.advance(by: .seconds(60))
            let code = app.code(at: house.clock.now)
            let entered = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 1...20 {
                    let visitor = house.visitor(at: "198.51.100.\(number)")
                    try #require(await visitor.logIn(email: email).location == "/login/second")
                    group.addTask { try await visitor.post("/login/second", ["code": code]).location == "/account" }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(entered == 1)
        }
    }
}
