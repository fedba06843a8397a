import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Mailing
@testable import Serving
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct PasswordChangeTests {
    private static let newPassword = "staple horse battery correct"

    private func change(
        _ member: Browser, current: String = Browser.goodPassword, to password: String = newPassword
    ) async throws -> Page {
        let csrf = try await member.get("/account/password").csrf ?? ""
        return try await member.post(
            "/account/password",
            ["csrf": csrf, "current_password": current, "password": password, "password_confirmation": password]
        )
    }

    @Test func `the password is changed, the token renewed, other sessions end and the owner is told`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let elsewhere = house.visitor()
            try await elsewhere.logIn(email: "ada@example.com")
            let before = await member.cookies["vestibule"]
            #expect(try await change(member).leads(to: "/account/security", saying: .passwordReplaced))
            #expect(await member.cookies["vestibule"] != before)
            #expect(try await member.isSignedIn())
            #expect(try await !elsewhere.isSignedIn())
            #expect(try await elsewhere.logIn(email: "ada@example.com").status == .unprocessableContent)
            #expect(try await elsewhere.logIn(email: "ada@example.com", password: Self.newPassword).status == .seeOther)
            _ = try await house.mailbox.next(to: "ada@example.com", subject: "Your password was changed")
        }
    }

    @Test func `the current password is asked for, and guessing it is limited like login`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            // By the browser, which is known, and then by the session.
            for _ in 0..<20 {
                let page = try await change(member, current: "guess")
                #expect(page.status == .unprocessableContent && page.shows("That&#39;s not your current password."))
            }
            #expect(try await change(member).status == .tooManyRequests)
            #expect(try await member.isSignedIn())
        }
    }

    @Test func `thirty times a day it is changed, so that the mails bury no other`() async throws {
        try await withHouse([.limitLogin: "off"]) { house in
            let member = try await house.member("ada@example.com")
            var passwords = [Browser.goodPassword, Self.newPassword]
            for _ in 0..<30 {
                let changed = try await change(member, current: passwords[0], to: passwords[1])
                #expect(changed.leads(to: "/account/security", saying: .passwordReplaced))
                passwords.reverse()
            }
            let refused = try await change(member, current: passwords[0], to: passwords[1])
            #expect(refused.status == .tooManyRequests && refused.shows("Too many attempts."))
            #expect(try await house.visitor().logIn(email: "ada@example.com").status == .seeOther)
        }
    }

    @Test func `an empty current password is asked for, and counts as no guess`() async throws {
        try await withHouse([.limitLogin: "1/h/ip"]) { house in
            let member = try await house.member("ada@example.com")
            for _ in 0..<3 {
                let page = try await change(member, current: "")
                #expect(page.shows("</span> Enter your current password."))
            }
            #expect(try await change(member, to: "").shows("</span> Enter a new password."))
            #expect(try await change(member).leads(to: "/account/security", saying: .passwordReplaced))
        }
    }

    @Test func `the new one is judged like at sign-up, and nothing changes without the form token`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let weak = try await change(member, to: "lovelace1815")
            #expect(weak.status == .unprocessableContent && weak.shows("aria-invalid=\"true\" autofocus"))
            let forged = try await member.post(
                "/account/password",
                [
                    "current_password": Browser.goodPassword, "password": Self.newPassword,
                    "password_confirmation": Self.newPassword,
                ]
            )
            #expect(forged.status == .forbidden)
            #expect(try await house.visitor().logIn(email: "ada@example.com").status == .seeOther)
        }
    }

    @Test func `of a change and a reset at the same moment only one sets the password`() async throws {
        try await withHouse([.limitLogin: "off", .limitReset: "off", .limitMail: "off", .limitVerify: "off"]) { house in
            for number in 0..<5 {
                let email = "ada\(number)@example.com"
                let (owner, thief) = (try await house.member(email), house.visitor())
                try await thief.logIn(email: email)
                let csrf = try await thief.get("/account/password").csrf ?? ""
                try await owner.post("/reset", ["email": email])
                let mail = try await house.mailbox.next(
                    to: email, subject: "Your code for a new password")
                let code = String(mail.text.firstMatch(of: /\b\d{6}\b/)?.output ?? "")
                async let stolen = thief.post(
                    "/account/password",
                    [
                        "csrf": csrf, "current_password": Browser.goodPassword, "password": "thiefs horse battery",
                        "password_confirmation": "thiefs horse battery",
                    ])
                async let reset = owner.post(
                    "/reset/verify",
                    ["code": code, "password": Browser.goodPassword, "password_confirmation": Browser.goodPassword])
                let pages = try await (stolen, reset)
                // Whichever comes first: a change ends the reset, a reset ends the session that
                // changes.
                let isChanged = pages.0.leads(to: "/account/security", saying: .passwordReplaced)
                let isReset = pages.1.leads(to: "/login", saying: .passwordChanged)
                #expect(isReset != isChanged)
                let passwords = [Browser.goodPassword, "thiefs horse battery"]
                for (password, isSet) in zip(passwords, [isReset, isChanged]) {
                    let login = try await house.visitor().logIn(email: email, password: password)
                    #expect(login.status == (isSet ? .seeOther : .unprocessableContent))
                }
            }
        }
    }

    @Test func `sent twice at once, it happens once`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let csrf = try await member.get("/account/password").csrf ?? ""
            let cookies = await member.cookies
            let pages = try await withThrowingTaskGroup(of: Page.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        let tab = house.visitor()
                        for (name, value) in cookies { await tab.set(name, value) }
                        return try await tab.post(
                            "/account/password",
                            [
                                "csrf": csrf, "current_password": Browser.goodPassword,
                                "password": Self.newPassword, "password_confirmation": Self.newPassword,
                            ])
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(pages.count { $0.leads(to: "/account/security", saying: .passwordReplaced) } == 1)
            #expect(house.logs.lines(of: "authn_password_change").count == 1)
        }
    }

    @Test func `guessing it ends after a hundred failures, and is told`() async throws {
        try await withHouse([.limitLogin: "off"]) { house in
            let member = try await house.member("ada@example.com")
            let thief = house.visitor()
            for name in ["vestibule", "vestibule-device"] { await thief.set(name, await member.cookies[name] ?? "") }
            for _ in 0..<100 { _ = try await change(thief, current: "guess") }
            #expect(try await change(thief).status == .tooManyRequests)
            #expect(try await member.get("/account/activity").shows("Wrong password or code in your account"))
            // The owner's browser is known, and gets another session.
            try await member.logOut()
            try await member.logIn(email: "ada@example.com")
            #expect(try await change(member).leads(to: "/account/security", saying: .passwordReplaced))
        }
    }

    @Test func `the well-known address leads here, through login`() async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            let known = try await visitor.get("/.well-known/change-password")
            let page = try await visitor.get("/account/password")
            #expect(known.status == .found && known.location == "/account/password")
            #expect(page.location == "/login?return_to=/account/password")
        }
    }
}
