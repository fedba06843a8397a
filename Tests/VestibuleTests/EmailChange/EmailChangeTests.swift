import HTTPTypes
import Testing

@testable import Essentials
@testable import Mailing
@testable import Serving
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct EmailChangeTests {
    @Test func `a code to the new mailbox changes the address, and the old one is told`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let token = await member.cookies["vestibule"]
            #expect(try await member.askForEmail("Ada@New.example").location == "/account/email/verify")
            #expect(try await member.get("/account/email/verify").shows("Ada@new.example") == false)
            #expect(try await member.get("/account/email/verify").shows("Ada@New.example"))
            #expect(try await member.get("/account").shows("ada@example.com"))
            let code = try await house.mailbox.code(for: "ada@new.example")
            let spaced = "\(code.prefix(3)) - \(code.suffix(3))"
            #expect(try await member.typeEmail(code: spaced).leads(to: "/account", saying: .emailChanged))
            #expect(await member.cookies["vestibule"] != token)
            #expect(await member.cookies["vestibule-flow"] == nil)
            #expect(try await member.get("/account").shows("Ada@New.example"))
            let notice = try await house.mailbox.next(to: "ada@example.com", subject: "Your email address was changed")
            #expect(notice.text.contains("A•••@new.example") && !notice.text.contains("Ada@New.example"))
            let other = house.visitor()
            #expect(try await other.logIn(email: "ada@example.com").status == .unprocessableContent)
            #expect(try await other.logIn(email: "ada@new.example").status == .seeOther)
        }
    }

    @Test func `a wrong password, no address, a bad one and one's own are refused with the form filled`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let wrong = try await member.askForEmail("new@example.com", password: "guess")
            #expect(wrong.status == .unprocessableContent && wrong.shows("That&#39;s not your current password."))
            #expect(wrong.shows("value=\"new@example.com\""))
            #expect(try await member.askForEmail("").shows("Enter your email address."))
            let empty = try await member.askForEmail("", password: "")
            #expect(empty.shows("Enter your email address.") && empty.shows("Enter your current password."))
            #expect(try await member.askForEmail("ada@example").shows("Enter an email address like"))
            #expect(try await member.askForEmail("ADA@example.com").shows("already your email address."))
            #expect(await house.mailbox.count(to: "new@example.com") == 0)
            let forged = try await member.post(
                "/account/email", ["email": "new@example.com", "current_password": Browser.goodPassword]
            )
            #expect(forged.status == .forbidden)
        }
    }

    @Test func `asking for a new address counts against the limit of sign-ups`() async throws {
        try await withHouse([.limitSignup: "2/h/ip", .limitMail: "off"]) { house in
            let member = try await house.member("ada@example.com")
            #expect(try await member.askForEmail("new@example.com").location == "/account/email/verify")
            #expect(try await member.askForEmail("other@example.com").status == .tooManyRequests)
            #expect(await house.mailbox.count(to: "other@example.com") == 0)
        }
    }

    @Test func `an account asks for thirty new addresses at once, whatever the other limits are`() async throws {
        try await withHouse([.limitLogin: "off", .limitSignup: "off", .limitMail: "off"]) { house in
            let member = try await house.member("ada@example.com")
            for number in 1...30 {
                #expect(try await member.askForEmail("new\(number)@example.com").location == "/account/email/verify")
            }
            #expect(try await member.askForEmail("new31@example.com").status == .tooManyRequests)
            #expect(await house.mailbox.count(to: "new31@example.com") == 0)
        }
    }

    @Test func `wrong codes of strangers keep nobody who is signed in from a new address`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let stranger = house.app()
            for _ in 1...3 {
                let flow = try await stranger.signUp("new@example.com")["flow"] ?? ""
                _ = try await house.mailbox.code(for: "new@example.com")
                for _ in 1...5 { try await stranger.call(.post, "sign-up/verify", ["flow": flow, "code": "000000"]) }
            }
            try await member.askForEmail("new@example.com")
            let code = try await house.mailbox.code(for: "new@example.com")
            #expect(try await member.typeEmail(code: code).leads(to: "/account", saying: .emailChanged))
        }
    }

    @Test func `the form leads to the page of a code that waits, and to nobody else's`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let link = "<a href=\"/account/email/verify\">Enter the code for new@example.com.</a>"
            try await member.askForEmail("new@example.com")
            #expect(try await member.get("/account/email").body.contains(link))
            #expect(try await member.askForEmail("x").body.contains(link))
            let elsewhere = house.visitor()
            try await elsewhere.logIn(email: "ada@example.com")
            #expect(try await !elsewhere.get("/account/email").body.contains("/account/email/verify"))
            try await member.typeEmail(code: house.mailbox.code(for: "new@example.com"))
            #expect(try await !member.get("/account/email").body.contains("/account/email/verify"))
        }
    }

    @Test func `a taken address gets the same answers, and only its owner hears of it`() async throws {
        try await withHouse { house in
            let ada = try await house.member("ada@example.com")
            _ = try await house.member("bob@example.com")
            #expect(try await ada.askForEmail("bob@example.com").location == "/account/email/verify")
            let refused = try await ada.typeEmail(code: house.mailbox.code(for: "bob@example.com"))
            #expect(refused.status == .unprocessableContent)
            #expect(refused.shows("Another account uses this address now. Nothing was changed."))
            #expect(try await ada.get("/account").shows("ada@example.com"))
            #expect(try await house.visitor().logIn(email: "bob@example.com").status == .seeOther)
        }
    }

    @Test func `two accounts that want one address have one winner`() async throws {
        try await withHouse { house in
            let members = [try await house.member("ada@example.com"), try await house.member("bob@example.com")]
            var codes: [String] = []
            for member in members {
                try await member.askForEmail("both@example.com")
                codes.append(try await house.mailbox.code(for: "both@example.com"))
            }
            let pages = try await withThrowingTaskGroup(of: Page.self) { group in
                for (member, code) in zip(members, codes) {
                    group.addTask { try await member.typeEmail(code: code) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(pages.count { $0.leads(to: "/account", saying: .emailChanged) } == 1)
            #expect(pages.count { $0.shows("Another account uses this address now.") } == 1)
        }
    }

    @Test func `twenty parallel uses of a right code have one winner`() async throws {
        try await withHouse([.limitVerify: "off"]) { house in
            let member = try await house.member("ada@example.com")
            try await member.askForEmail("new@example.com")
            let csrf = try await member.get("/account/email/verify").csrf ?? ""
            let code = try await house.mailbox.code(for: "new@example.com")
            let cookies = await member.cookies
            let changed = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        let tab = house.visitor()
                        for (name, value) in cookies { await tab.set(name, value) }
                        let page = try await tab.post("/account/email/verify", ["csrf": csrf, "code": code])
                        return page.leads(to: "/account", saying: .emailChanged)
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(changed == 1)
        }
    }

    @Test func `expired, used-up, foreign and replaced codes change nothing`() async throws {
        try await withHouse([.limitVerify: "off"]) { house in
            let member = try await house.member("ada@example.com")
            try await member.askForEmail("one@example.com")
            let first = try await house.mailbox.code(for: "one@example.com")
            try await member.askForEmail("two@example.com")
            #expect(try await member.typeEmail(code: first).shows("That code is wrong or has expired."))
            let second = try await house.mailbox.code(for: "two@example.com")
            house.clock.advance(by: .seconds(601))
            #expect(try await member.typeEmail(code: second).shows("That code is wrong or has expired."))
            try await member.resendEmailCode()
            let third = try await house.mailbox.code(for: "two@example.com")
            let thief = try await house.member("eve@example.com")
            await thief.set("vestibule-flow", await member.cookies["vestibule-flow"] ?? "")
            let csrf = try await thief.get("/account").csrf ?? ""
            let foreign = try await thief.post("/account/email/verify", ["csrf": csrf, "code": third])
            #expect(foreign.leads(to: "/account/email", saying: .emailFlowExpired))
            for _ in 0..<5 { try await member.typeEmail(code: "000000") }
            let spent = try await member.typeEmail(code: third)
            #expect(spent.status == .tooManyRequests)
            #expect(spent.shows("Too many wrong codes, so this one no longer works."))
            #expect(try await member.get("/account").shows("ada@example.com"))
        }
    }

    @Test func `yesterday's flow leads back to the start, and asking is limited by typed address`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            try await member.askForEmail("new@example.com")
            house.clock.advance(by: .seconds(3601))
            let late = try await member.get("/account/email/verify")
            #expect(late.leads(to: "/account/email", saying: .emailFlowExpired))
            #expect(try await member.get("/account/email").shows("Please enter the new address again."))
            for _ in 0..<5 { try await member.askForEmail("new@example.com") }
            let refused = try await member.askForEmail("new@example.com")
            #expect(refused.status == .tooManyRequests && refused.shows("value=\"new@example.com\""))
        }
    }
}
