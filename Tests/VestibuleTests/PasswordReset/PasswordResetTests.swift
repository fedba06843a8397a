import Foundation
import HTTPTypes
import StoreSupport
import TestSupport
import Testing

@testable import Essentials
@testable import Mailing
@testable import Serving
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct PasswordResetTests {
    private static let newPassword = "staple horse battery correct"

    private func redeem(_ visitor: Browser, code: String, password: String = newPassword) async throws -> Page {
        try await visitor.post(
            "/reset/verify", ["code": code, "password": password, "password_confirmation": password]
        )
    }

    @Test func `a forgotten password is replaced, every session ends, and the owner is told`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let visitor = house.visitor()
            #expect(try await visitor.post("/reset", ["email": "ADA@Example.com"]).location == "/reset/verify")
            #expect(try await visitor.get("/reset/verify").shows("code for \(Page.address("ADA@Example.com")) below."))
            let mail = try await house.mailbox.next(to: "ada@example.com")
            #expect(mail.to == "ada@example.com")
            let code = try #require(mail.text.firstMatch(of: /\b\d{6}\b/)?.output)
            let done = try await redeem(visitor, code: String(code))
            #expect(done.leads(to: "/login", saying: .passwordChanged))
            #expect(await Set(visitor.cookies.keys) == ["vestibule-flash", "vestibule-typed", "vestibule-device"])
            #expect(try await !member.isSignedIn())
            #expect(try await visitor.logIn(email: "ada@example.com").status == .unprocessableContent)
            #expect(try await visitor.logIn(email: "ada@example.com", password: Self.newPassword).status == .seeOther)
            #expect(try await house.mailbox.next(to: "ada@example.com").subject == "Your password was changed")
            #expect(house.logs.lines(of: "authn_password_change").count == 1)
        }
    }

    @Test func `the owner is told in the language of the account, whatever the one of the page`() async throws {
        try await withHouse { house in
            let german = ["Accept-Language": "de"]
            let member = house.visitor()
            try await member.post("/signup", Browser.signupFields(email: "ada@example.com"), headers: german)
            let code = try await house.mailbox.code(for: "ada@example.com")
            try await member.post("/signup/verify", ["code": code], headers: german)
            let visitor = house.visitor()
            try await visitor.post("/reset", ["email": "ada@example.com"])
            _ = try await redeem(visitor, code: house.mailbox.code(for: "ada@example.com"))
            _ = try await house.mailbox.next(to: "ada@example.com", subject: "Ihr Passwort wurde geändert")
        }
    }

    @Test func `an empty form asks for a new password, and for its repetition`() async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            try await visitor.post("/reset", ["email": "ada@example.com"])
            let page = try await visitor.post("/reset/verify", ["password": ""])
            #expect(page.shows("</span> Enter a new password.") && page.shows("</span> Repeat your password."))
        }
    }

    @Test func `a disabled account gets the same answers, and no mail`() async throws {
        try await withHouse { house in
            for email in ["ada@example.com", "bob@example.com"] { _ = try await house.member(email) }
            let account = try await house.account("ada@example.com")
            #expect(try await Administration(services: house.services).disable(account))
            let mails = await house.mailbox.count(to: "ada@example.com")
            for email in ["ada@example.com", "bob@example.com"] {
                #expect(try await house.visitor().post("/reset", ["email": email]).location == "/reset/verify")
            }
            _ = try await house.mailbox.code(for: "bob@example.com")
            #expect(await house.mailbox.count(to: "ada@example.com") == mails)
        }
    }

    @Test func `an unknown address gets the same answers, and no mail`() async throws {
        try await withHouse { house in
            _ = try await house.member("ada@example.com")
            let (known, unknown) = (house.visitor(), house.visitor())
            let one = try await known.post("/reset", ["email": "ada@example.com"])
            let other = try await unknown.post("/reset", ["email": "nobody@example.com"])
            #expect(one.status == other.status && one.location == other.location && one.body == other.body)
            #expect(one.headers.map(\.name) == other.headers.map(\.name))
            let pages = (try await known.get("/reset/verify"), try await unknown.get("/reset/verify"))
            #expect(pages.0.body.replacing("ada@", with: "") == pages.1.body.replacing("nobody@", with: ""))
            let wrong = (try await redeem(known, code: "000000"), try await redeem(unknown, code: "000000"))
            #expect(wrong.0.status == .unprocessableContent && wrong.1.status == .unprocessableContent)
            #expect(wrong.1.shows("That code is wrong or has expired."))
            _ = try await house.mailbox.code(for: "ada@example.com")
            #expect(await house.mailbox.count(to: "nobody@example.com") == 0)
        }
    }

    @Test func `twenty parallel uses of a right code have one winner`() async throws {
        try await withHouse([.limitVerify: "off"]) { house in
            _ = try await house.member("ada@example.com")
            let visitor = house.visitor()
            try await visitor.post("/reset", ["email": "ada@example.com"])
            let code = try await house.mailbox.code(for: "ada@example.com")
            let flow = await visitor.cookies["vestibule-flow"] ?? ""
            let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        let tab = house.visitor()
                        await tab.set("vestibule-flow", flow)
                        return try await redeem(tab, code: code).leads(to: "/login", saying: .passwordChanged)
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(winners == 1)
        }
    }

    @Test func `asked for twice, only the newest code works`() async throws {
        try await withHouse { house in
            _ = try await house.member("ada@example.com")
            let visitor = house.visitor()
            try await visitor.post("/reset", ["email": "ada@example.com"])
            let old = try await house.mailbox.code(for: "ada@example.com")
            try await visitor.post("/reset", ["email": "ada@example.com"])
            let new = try await house.mailbox.code(for: "ada@example.com")
            if old != new { #expect(try await redeem(visitor, code: old).status == .unprocessableContent) }
            #expect(try await redeem(visitor, code: new).status == .seeOther)
        }
    }

    @Test func `a refused password costs no attempt, and asking changes nothing`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let visitor = house.visitor()
            try await visitor.post("/reset", ["email": "ada@example.com"])
            let code = try await house.mailbox.code(for: "ada@example.com")
            for _ in 0..<7 {
                #expect(try await redeem(visitor, code: code, password: "short").status == .unprocessableContent)
            }
            #expect(try await member.isSignedIn())
            #expect(try await house.visitor().logIn(email: "ada@example.com").status == .seeOther)
            #expect(try await redeem(visitor, code: code).status == .seeOther)
        }
    }

    @Test func `a code lives ten minutes, five tries and one use, in its own browser`() async throws {
        try await withHouse([.limitVerify: "off", .limitReset: "off", .limitMail: "off"]) { house in
            _ = try await house.member("ada@example.com")
            let late = house.visitor()
            try await late.post("/reset", ["email": "ada@example.com"])
            let lateCode = try await house.mailbox.code(for: "ada@example.com")
            #expect(try await redeem(house.visitor(), code: lateCode).shows("cookies may be blocked"))
            house.clock.advance(by: .seconds(601))
            #expect(try await redeem(late, code: lateCode).shows("That code is wrong or has expired."))

            let guesser = house.visitor()
            try await guesser.post("/reset", ["email": "ada@example.com"])
            let right = try await house.mailbox.code(for: "ada@example.com")
            let wrong = right == "000000" ? "000001" : "000000"
            for _ in 0..<5 { _ = try await redeem(guesser, code: wrong) }
            let spent = try await redeem(guesser, code: right)
            #expect(spent.status == .tooManyRequests)
            #expect(spent.shows("Too many wrong codes, so this one no longer works."))
            #expect(!spent.shows("<form") && spent.shows("Start over</a>"))
            #expect(try await guesser.post("/reset/resend", [:]).location == "/reset/verify")
        }
    }

    @Test func `a reset opens an account that guessing had closed`() async throws {
        try await withHouse([.limitLogin: "off"]) { house in
            _ = try await house.member("ada@example.com")
            for _ in 0..<100 { try await house.visitor().logIn(email: "ada@example.com", password: "guess") }
            let visitor = house.visitor()
            #expect(try await visitor.logIn(email: "ada@example.com").status == .unprocessableContent)
            try await visitor.post("/reset", ["email": "ada@example.com"])
            _ = try await redeem(visitor, code: house.mailbox.code(for: "ada@example.com"))
            #expect(try await visitor.logIn(email: "ada@example.com", password: Self.newPassword).status == .seeOther)
        }
    }

    @Test func `an attacker's flood leaves the owner's browser able to reset`() async throws {
        try await withHouse { house in
            let owner = try await house.member("ada@example.com")
            try await owner.logOut()
            for number in 0..<12 {
                try await house.visitor(at: "198.51.100.\(number)").post("/reset", ["email": "ada@example.com"])
            }
            let stranger = try await house.visitor().post("/reset", ["email": "ada@example.com"])
            #expect(stranger.status == .tooManyRequests)
            #expect(try await owner.post("/reset", ["email": "ada@example.com"]).location == "/reset/verify")
        }
    }

    @Test func `who has reset the password signs in with it while others guess`() async throws {
        try await withHouse { house in
            _ = try await house.member("ada@example.com")
            house.clock.advance(by: .seconds(1))
            let owner = house.visitor()
            try await owner.post("/reset", ["email": "ada@example.com"])
            let code = try await house.mailbox.code(for: "ada@example.com")
            #expect(try await redeem(owner, code: code).leads(to: "/login", saying: .passwordChanged))
            for number in 0..<11 {
                try await house.visitor(at: "198.51.100.\(number)").logIn(email: "ada@example.com", password: "guess")
            }
            let stranger = house.visitor(at: "203.0.113.50")
            #expect(
                try await stranger.logIn(email: "ada@example.com", password: Self.newPassword).status
                    == .tooManyRequests)
            #expect(try await owner.logIn(email: "ada@example.com", password: Self.newPassword).status == .seeOther)
        }
    }

    @Test func `a flood that uses up everybody's mails keeps no owner out, nor lets one send without end`() async throws
    {
        try await withHouse([.limitMail: "5/h/address, 3/h/all"]) { house in
            let owner = try await house.member("ada@example.com")
            try await owner.logOut()
            for number in 0..<3 {
                let visitor = house.visitor(at: "198.51.100.\(number)")
                try await visitor.post("/reset", ["email": "nobody\(number)@example.com"])
            }
            let stranger = try await house.visitor().post("/reset", ["email": "eve@example.com"])
            #expect(stranger.status == .tooManyRequests)
            #expect(try await owner.post("/reset", ["email": "ada@example.com"]).location == "/reset/verify")
            for _ in 0..<2 { try await owner.post("/reset/resend", [:]) }
            #expect(try await owner.post("/reset/resend", [:]).status == .tooManyRequests)
        }
    }

    @Test func `a refused password keeps the code that was typed, and a used code is one no more`() async throws {
        try await withHouse { house in
            _ = try await house.member("ada@example.com")
            let visitor = house.visitor()
            try await visitor.post("/reset", ["email": "ada@example.com"])
            let flow = await visitor.cookies["vestibule-flow"] ?? ""
            let code = try await house.mailbox.code(for: "ada@example.com")
            let weak = try await redeem(visitor, code: code, password: "password")
            #expect(weak.status == .unprocessableContent && weak.shows("value=\"\(code)\""))
            #expect(try await redeem(visitor, code: code).leads(to: "/login", saying: .passwordChanged))
            await visitor.set("vestibule-flow", flow)
            #expect(try await redeem(visitor, code: code).leads(to: "/reset", saying: .flowExpired))
        }
    }

    @Test func `a link that leads nowhere leaves a running flow alone`() async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            try await visitor.post("/reset", ["email": "ada@example.com"])
            #expect(try await visitor.get("/reset/continue?flow=bogus").leads(to: "/reset", saying: .flowExpired))
            #expect(try await visitor.get("/reset/verify").status == .ok)
        }
    }

    @Test func `text that is not an address is refused at once`() async throws {
        try await withHouse { house in
            let page = try await house.visitor().post("/reset", ["email": "ada@example"])
            #expect(page.status == .unprocessableContent && page.shows("value=\"ada@example\""))
            #expect(page.shows("Enter an email address like name@example.com."))
        }
    }

    @Test func `a stranger's flow ends for no reason that tells of an account`() async throws {
        try await withHouse { house in
            _ = try await house.member("ada@example.com")
            let stranger = house.visitor(at: "198.51.100.7")
            try await stranger.post("/reset", ["email": "ada@example.com"])
            let before = try await house.mailbox.code(for: "ada@example.com")
            let owner = house.visitor()
            try await owner.post("/reset", ["email": "ada@example.com"])
            let code = try await house.mailbox.code(for: "ada@example.com")
            let fields = ["password": Self.newPassword, "password_confirmation": Self.newPassword]
            #expect(
                try await owner.post("/reset/verify", fields.merging(["code": code]) { $1 }).status == .seeOther)
            #expect(try await stranger.get("/reset/verify").status == .ok)
            let late = try await stranger.post("/reset/verify", fields.merging(["code": before]) { $1 })
            #expect(late.status == .unprocessableContent)
        }
    }

    @Test func `a code that has expired uses up no tries of the next`() async throws {
        try await withHouse { house in
            _ = try await house.member("ada@example.com")
            let owner = house.visitor()
            try await owner.post("/reset", ["email": "ada@example.com"])
            let old = try await house.mailbox.code(for: "ada@example.com")
            house.clock.advance(by: .seconds(601))
            for _ in 0..<6 {
                #expect(try await redeem(owner, code: old).shows("That code is wrong or has expired."))
            }
            try await owner.post("/reset/resend", [:])
            let code = try await house.mailbox.code(for: "ada@example.com")
            #expect(try await redeem(owner, code: code).status == .seeOther)
        }
    }

    @Test func `who asks again before the first mail got out gets one mail, whose code works`() async throws {
        try await withHouse { house in
            _ = try await house.member("ada@example.com")
            await house.mailbox.fail(.deferred("busy"))
            let owner = house.visitor()
            for _ in 0..<2 { try await owner.post("/reset", ["email": "ada@example.com"]) }
            let key = house.services.secretKey
            let waiting = try await MailQueue(store: house.services.store, key: key).list(after: nil, limit: 9)
            #expect(waiting.count == 1)
            try await house.endMailOutage()
            let code = try await house.mailbox.code(for: "ada@example.com")
            #expect(try await redeem(owner, code: code).status == .seeOther)
        }
    }
}
