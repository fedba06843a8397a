import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Mailing
@testable import Serving
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct MailedResetTests {
    private static let password = "staple horse battery correct"

    private struct Step: Equatable {
        let page: String?
        let notice: Notice?

        init(_ page: String, _ notice: Notice? = nil) {
            (self.page, self.notice) = (page, notice)
        }

        init(_ answer: Page) {
            (page, notice) = (answer.location, answer.flash?.notice)
        }
    }

    private static let page = Step("/reset/continue")
    private static let lost = Step("/reset", .linkLost)

    /// Opens the link of a mail and says that it is meant; returns where each of the two leads, and
    /// what that says.
    private func follow(_ visitor: Browser, _ mail: MailMessage) async throws -> [Step] {
        let link = try #require(mail.text.firstMatch(of: /\/reset\/continue\?flow=([A-Za-z0-9_-]{43})/))
        let opened = try await visitor.get(String(link.output.0))
        #expect(opened.headers[values: try #require(HTTPField.Name("Referrer-Policy"))] == ["no-referrer"])
        #expect(await Set(visitor.cookies.keys).isSubset(of: ["vestibule-link", "vestibule-flash"]))
        if opened.location == "/reset/continue" {
            let page = try await visitor.get("/reset/continue")
            #expect(page.status == .ok && !page.shows(String(link.output.1)))
        }
        return [Step(opened), Step(try await visitor.post("/reset/continue", [:]))]
    }

    private func redeem(_ visitor: Browser, code: String) async throws -> Page {
        try await visitor.post(
            "/reset/verify", ["code": code, "password": Self.password, "password_confirmation": Self.password])
    }

    private func code(_ mail: MailMessage) throws -> String {
        String(try #require(mail.text.firstMatch(of: /\b\d{6}\b/)?.output))
    }

    @Test func `somebody invited chooses a password, has proved the mailbox, and accepts the terms`() async throws {
        try await withHouse { house in
            let invited = try await Administration(services: house.services)
                .invite("Ada@Example.com", name: nil, locale: "en")
            #expect(invited.displayName == "Ada" && invited.verifiedAt == nil)
            let mail = try await house.mailbox.next(to: "Ada@example.com")
            let visitor = house.visitor()
            #expect(try await visitor.logIn(email: "ada@example.com", password: "").status == .unprocessableContent)
            #expect(try await follow(visitor, mail) == [Self.page, Step("/reset/verify", .choosePassword)])
            #expect(try await redeem(visitor, code: code(mail)).leads(to: "/login", saying: .passwordChanged))
            // There was nothing else that could have been removed.
            #expect(try await !visitor.get("/login").shows("was removed"))
            let told = try await house.mailbox.next(to: "Ada@example.com")
            #expect(told.subject == "A password was set for your account" && !told.text.contains("removed"))
            let login = try await visitor.logIn(email: "ada@example.com", password: Self.password)
            #expect(login.location?.hasPrefix("/account/terms") == true)
            let kinds = try await house.events(of: "ada@example.com").map(\.kind)
            #expect(kinds.last == .accountInvited && kinds.contains(.passwordReset))
        }
    }

    @Test func `who has not chosen a password yet is sent the invitation again, and later a reset`() async throws {
        try await withHouse { house in
            let administration = Administration(services: house.services)
            let invited = try await administration.invite("ada@example.com", name: "Ada", locale: "en")
            let first = try await house.mailbox.next(to: "ada@example.com")
            #expect(try await administration.sendReset(to: invited))
            let again = try await house.mailbox.next(to: "ada@example.com")
            #expect([first, again].allSatisfy { $0.subject.hasSuffix("an account was made for you") })
            let visitor = house.visitor()
            _ = try await follow(visitor, again)
            #expect(try await redeem(visitor, code: code(again)).leads(to: "/login", saying: .passwordChanged))
            _ = try await house.mailbox.next(to: "ada@example.com")
            let record = try await house.services.store.account(.address("ada@example.com" as EmailAddress))
            let account = try #require(record).account
            #expect(try await administration.sendReset(to: account))
            #expect(try await house.mailbox.next(to: "ada@example.com").subject.hasSuffix("choose a new password"))
        }
    }

    @Test(arguments: [("en", "Choose a password"), ("de", "Passwort wählen")])
    func `somebody invited who signs up instead is led to a password`(locale: String, link: String) async throws {
        try await withHouse { house in
            _ = try await Administration(services: house.services).invite("ada@example.com", name: "Ada", locale: "en")
            _ = try await house.mailbox.next(to: "ada@example.com")
            let visitor = house.visitor()
            let fields = Browser.signupFields(email: "ada@example.com")
            try await visitor.post("/signup", fields, headers: ["Accept-Language": locale])
            let mail = try await house.mailbox.next(to: "ada@example.com")
            for body in [mail.text, mail.html] {
                #expect(body.contains("http://localhost:8080/login") && body.contains("http://localhost:8080/reset"))
            }
            let page = try await visitor.post(
                "/signup/verify", ["code": code(mail)], headers: ["Accept-Language": locale])
            #expect(page.status == .unprocessableContent && page.shows(#"href="/login""#))
            #expect(page.shows(#"<a href="/reset">\#(link)</a>"#))
        }
    }

    @Test func `the link works for seven days, with another code after ten minutes`() async throws {
        try await withHouse { house in
            _ = try await Administration(services: house.services).invite("ada@example.com", name: "Ada", locale: "en")
            let mail = try await house.mailbox.next(to: "ada@example.com")
            house.clock.advance(by: .seconds(7 * 86_400 - 60))
            let visitor = house.visitor()
            #expect(try await follow(visitor, mail) == [Self.page, Step("/reset/verify", .newCode)])
            #expect(try await redeem(visitor, code: code(mail)).status == .unprocessableContent)
            let fresh = try await house.mailbox.code(for: "ada@example.com")
            #expect(try await redeem(visitor, code: fresh).leads(to: "/login", saying: .passwordChanged))

            _ = try await Administration(services: house.services).invite("bob@example.com", name: "Bob", locale: "en")
            let late = try await house.mailbox.next(to: "bob@example.com")
            house.clock.advance(by: .seconds(7 * 86_400))
            let over = Step("/reset", .flowExpired)
            #expect(try await follow(house.visitor(), late) == [over, Self.lost])
        }
    }

    @Test func `a clock that is set back lengthens no code of a mailed reset`() async throws {
        try await withHouse([.limitReset: "off", .limitMail: "off", .limitVerify: "off"]) { house in
            _ = try await Administration(services: house.services).invite("ada@example.com", name: "Ada", locale: "en")
            let mail = try await house.mailbox.next(to: "ada@example.com")
            house.clock.set(by: -7200)
            house.clock.advance(by: .seconds(601))
            let visitor = house.visitor()
            #expect(try await follow(visitor, mail) == [Self.page, Step("/reset/verify", .newCode)])
            let fresh = try await house.mailbox.code(for: "ada@example.com")
            #expect(try await visitor.get("/reset/verify").shows("a•••@example.com"))
            #expect(try await visitor.post("/reset/verify", ["code": fresh]).location == "/reset/verify")
            #expect(
                try await visitor.get("/reset/verify")
                    .shows("code for \(Page.address("ada@example.com")) was right."))
        }
    }

    @Test func `what the operator sends changes nothing until it is used`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let email = "ada@example.com" as EmailAddress
            let account = try #require(try await house.services.store.account(.address(email))).account
            let administration = Administration(services: house.services)
            #expect(try await administration.sendReset(to: account))
            let mail = try await house.mailbox.next(to: "ada@example.com")
            #expect(try await member.isSignedIn())
            #expect(try await house.visitor().logIn(email: "ada@example.com").status == .seeOther)
            let visitor = house.visitor()
            _ = try await follow(visitor, mail)
            #expect(try await redeem(visitor, code: code(mail)).status == .seeOther)
            #expect(try await !member.isSignedIn())
        }
    }

    @Test(arguments: ["Go to evil.example", "evil code 48 29 13"])
    func `a name that looks like a link or a code is not in the operator's mail`(name: String) async throws {
        try await withHouse { house in
            let app = try await house.appMember("ada@example.com")
            try await app.call(.patch, "user", ["name": name])
            let email = "ada@example.com" as EmailAddress
            let account = try #require(try await house.services.store.account(.address(email))).account
            #expect(try await Administration(services: house.services).sendReset(to: account))
            let mail = try await house.mailbox.next(to: "ada@example.com", subject: "Choose a new password")
            #expect(mail.text.contains("Hello ada@example.com,"))
            #expect(!mail.text.contains("evil") && !mail.html.contains("evil"))
        }
    }

    @Test func `a disabled account cannot sign in, gets no reset, and is itself again when enabled`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let email = "ada@example.com" as EmailAddress
            let account = try #require(try await house.services.store.account(.address(email))).account
            let administration = Administration(services: house.services)
            #expect(try await administration.disable(account))
            #expect(try await !member.isSignedIn())
            #expect(try await house.visitor().logIn(email: "ada@example.com").status == .unprocessableContent)
            #expect(try await !administration.sendReset(to: account))
            #expect(try await administration.enable(account))
            #expect(try await house.visitor().logIn(email: "ada@example.com").status == .seeOther)
        }
    }

    @Test func `a taken address, no address, and a name that cannot be are refused`() async throws {
        try await withHouse { house in
            _ = try await house.member("ada@example.com")
            let administration = Administration(services: house.services)
            for (address, name, refusal) in [
                ("ADA@example.com", nil, .emailTaken), ("ada@", nil, .emailInvalid),
                ("bob@example.com", "a\u{7}", .displayNameInvalid),
            ] as [(String, String?, Refusal)] {
                await #expect(throws: refusal) {
                    try await administration.invite(address, name: name, locale: "en")
                }
            }
            let bob = "bob@example.com" as EmailAddress
            #expect(try await house.services.store.account(.address(bob)) == nil)
        }
    }

    @Test func `only the newest link works, and none for what a stranger began`() async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            let email = "ada@example.com" as EmailAddress
            let account = try #require(try await house.services.store.account(.address(email))).account
            let administration = Administration(services: house.services)
            #expect(try await administration.sendReset(to: account))
            let first = try await house.mailbox.next(to: "ada@example.com", subject: "Choose a new password")
            #expect(try await administration.sendReset(to: account))
            let second = try await house.mailbox.next(to: "ada@example.com", subject: "Choose a new password")
            let over = Step("/reset", .flowExpired)
            #expect(try await follow(house.visitor(), first) == [over, Self.lost])
            #expect(try await follow(house.visitor(), second) == [Self.page, Step("/reset/verify", .choosePassword)])
            let stranger = house.visitor()
            try await stranger.post("/reset", ["email": "ada@example.com"])
            // Without the letter that says what it is for.
            let flow = await String((stranger.cookies["vestibule-flow"] ?? "").dropFirst())
            #expect(Step(try await member.get("/reset/continue?flow=\(flow)")) == over)
            await member.set("vestibule-link", "reset.\(flow)")
            #expect(Step(try await member.get("/reset/continue")) == over)
            await member.set("vestibule-link", "reset.\(flow)")
            #expect(Step(try await member.post("/reset/continue", [:])) == over)
        }
    }
}
