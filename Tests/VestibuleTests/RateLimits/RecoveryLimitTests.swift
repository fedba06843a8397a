import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Mailing
@testable import Serving
@testable import Vestibule

/// What strangers use up of an address's limits is nothing that its owner needs to get back in.
@Suite(.timeLimit(.minutes(15)))
struct RecoveryLimitTests {
    private static let email = "ada@example.com"
    private static let newPassword = "staple horse battery correct"

    /// The limit of mails, and that of codes that are typed, used up from many networks. The mails
    /// count as read.
    private func useUp(_ house: House, of tries: Int = 14) async throws {
        var wrong = 0
        for number in 1...10 {
            let stranger = house.visitor(at: "198.51.100.\(number)")
            guard try await stranger.post("/reset", ["email": Self.email]).status == .seeOther else { continue }
            _ = try await house.mailbox.code(for: Self.email)
            for _ in 0..<5 where try await type("000000", stranger).status == .unprocessableContent { wrong += 1 }
        }
        // One of fifteen in an hour was the owner's own, at the sign-up.
        #expect(wrong == tries)
        let late = house.visitor(at: "198.51.100.99")
        #expect(try await late.post("/reset", ["email": Self.email]).status == .tooManyRequests)
    }

    private func type(_ code: String, _ visitor: Browser) async throws -> Page {
        try await visitor.post(
            "/reset/verify",
            ["code": code, "password": Self.newPassword, "password_confirmation": Self.newPassword])
    }

    /// Somebody who knows the password signs in elsewhere and replaces it.
    private func replacePassword(_ house: House) async throws {
        let thief = house.visitor(at: "203.0.113.9")
        try await thief.logIn(email: Self.email)
        house.clock.advance(by: .seconds(60))
        let fields = [
            "csrf": try await thief.get("/account/password").csrf ?? "", "current_password": Browser.goodPassword,
            "password": "violet tram under seven bridges",
            "password_confirmation": "violet tram under seven bridges",
        ]
        #expect(try await thief.post("/account/password", fields).status == .seeOther)
    }

    @Test func `the owner's browser gets a reset, also after a thief has replaced the password`() async throws {
        try await withHouse { house in
            let owner = try await house.member(Self.email)
            try await replacePassword(house)
            _ = try await house.mailbox.next(to: Self.email, subject: "Your password was changed")
            try await useUp(house)
            #expect(try await owner.post("/reset", ["email": Self.email]).location == "/reset/verify")
            let code = try await house.mailbox.code(for: Self.email)
            #expect(try await type(code, owner).leads(to: "/login", saying: .passwordChanged))
        }
    }

    @Test func `browsers that a thief signed in send no more mails together than strangers do`() async throws {
        try await withHouse { house in
            let owner = try await house.member(Self.email)
            var browsers: [Browser] = []
            for number in 1...6 {
                let browser = house.visitor(at: "198.51.100.\(number)")
                try await browser.logIn(email: Self.email)
                browsers.append(browser)
            }
            house.clock.advance(by: .seconds(3600))
            let fields = [
                "csrf": try await owner.get("/account/password").csrf ?? "", "current_password": Browser.goodPassword,
                "password": Self.newPassword, "password_confirmation": Self.newPassword,
            ]
            #expect(try await owner.post("/account/password", fields).status == .seeOther)
            var sent = 0
            for _ in 1...3 {
                for browser in browsers
                where try await browser.post("/reset", ["email": Self.email]).status == .seeOther { sent += 1 }
            }
            #expect(sent == 10)
            #expect(try await owner.post("/reset", ["email": Self.email]).location == "/reset/verify")
        }
    }

    @Test func `what strangers use up for the whole site does not keep a known browser out`() async throws {
        try await withHouse([.limitReset: "off", .limitMail: "2/h/all, 2/h/address"]) { house in
            let owner = try await house.member(Self.email)
            let stranger = house.visitor(at: "203.0.113.7")
            #expect(try await stranger.post("/reset", ["email": "bob@example.com"]).status == .seeOther)
            #expect(try await stranger.post("/reset", ["email": Self.email]).status == .tooManyRequests)
            for _ in 1...2 {
                #expect(try await owner.post("/reset", ["email": Self.email]).status == .seeOther)
            }
            #expect(try await owner.post("/reset", ["email": Self.email]).status == .tooManyRequests)
        }
    }

    @Test func `thirty days after the password was replaced a browser from before is a stranger`() async throws {
        try await withHouse { house in
            let owner = try await house.member(Self.email)
            try await replacePassword(house)
            _ = try await house.mailbox.next(to: Self.email, subject: "Your password was changed")
            house.clock.advance(by: .seconds(30 * 86_400))
            try await useUp(house, of: 15)
            #expect(try await owner.post("/reset", ["email": Self.email]).status == .tooManyRequests)
        }
    }

    @Test func `a browser from before the password was replaced is a stranger at the login`() async throws {
        try await withHouse { house in
            let owner = try await house.member(Self.email)
            try await replacePassword(house)
            for number in 1...10 {
                try await house.visitor(at: "198.51.100.\(number)").logIn(email: Self.email, password: "guess")
            }
            #expect(try await owner.logIn(email: Self.email, password: "guess").status == .tooManyRequests)
        }
    }

    /// Somebody who has opened the link that the operator mailed, while strangers use up what they
    /// can; and the code of that mail.
    private func openLink(_ house: House) async throws -> (owner: Browser, code: String) {
        let address = "ada@example.com" as EmailAddress
        let account = try #require(try await house.services.store.account(.address(address))).account
        #expect(try await Administration(services: house.services).sendReset(to: account))
        let mail = try await house.mailbox.next(to: Self.email, subject: "Choose a new password")
        let link = try #require(mail.text.firstMatch(of: /\/reset\/continue\?flow=[A-Za-z0-9_-]{43}/)?.output)
        let owner = house.visitor(at: "192.0.2.77")
        _ = try await owner.get(String(link))
        try await useUp(house)
        return (owner, String(try #require(mail.text.firstMatch(of: /\b\d{6}\b/)?.output)))
    }

    @Test func `the code that an operator mails works`() async throws {
        try await withHouse { house in
            _ = try await house.member(Self.email)
            let (owner, code) = try await openLink(house)
            #expect(try await owner.post("/reset/continue", [:]).location == "/reset/verify")
            #expect(try await type(code, owner).leads(to: "/login", saying: .passwordChanged))
        }
    }

    @Test func `the link that an operator mails sends another code`() async throws {
        try await withHouse { house in
            _ = try await house.member(Self.email)
            let (owner, _) = try await openLink(house)
            house.clock.advance(by: .seconds(601))
            #expect(try await owner.post("/reset/continue", [:]).location == "/reset/verify")
            let code = try await house.mailbox.code(for: Self.email)
            #expect(try await type(code, owner).leads(to: "/login", saying: .passwordChanged))
        }
    }

    @Test(arguments: [(10, "10/15m/address"), (100, "off")])
    func `an app that is signed in changes the password while strangers fail at the login`(
        failures: Int, limit: String
    ) async throws {
        try await withHouse([.limitLogin: limit]) { house in
            let app = try await house.appMember(Self.email)
            for number in 1...failures {
                try await house.visitor(at: "198.51.100.\(number)").logIn(email: Self.email, password: "guess")
            }
            #expect(try await app.signIn(Self.email).status != .ok)
            let change = ["current_password": App.goodPassword, "password": Self.newPassword]
            #expect(try await app.call(.post, "user/password", change).status == .ok)
        }
    }

    @Test func `a session hides what happened under no more than ten changes of the name a day`() async throws {
        try await withHouse { house in
            let app = try await house.appMember(Self.email)
            for number in 1...10 {
                #expect(try await app.call(.patch, "user", ["name": "Ada \(number)"]).status == .ok)
            }
            let late = try await app.call(.patch, "user", ["name": "Ada"])
            #expect(late.status == .tooManyRequests && late.code == "rate_limited")
            #expect(try await house.visitor().logIn(email: Self.email).status == .seeOther)
        }
    }

    @Test func `a new address begins no limit of the account anew`() async throws {
        try await withHouse { house in
            let app = try await house.appMember(Self.email)
            for number in 1...10 { _ = try await app.call(.patch, "user", ["name": "Ada \(number)"]) }
            let form = ["email": "new@example.com", "current_password": App.goodPassword]
            let asked = try await app.call(.post, "user/email", form)
            let proof = ["flow": asked["flow"], "code": try await house.mailbox.code(for: "new@example.com")]
            #expect(try await app.call(.post, "user/email/verify", proof).status == .ok)
            #expect(try await app.call(.patch, "user", ["name": "Ada"]).status == .tooManyRequests)
        }
    }

    @Test func `a session makes no more than ten files of the account a day`() async throws {
        try await withHouse { house in
            let app = try await house.appMember(Self.email)
            for _ in 1...10 { #expect(try await app.call(.post, "user/export").status == .ok) }
            #expect(try await app.call(.post, "user/export").status == .tooManyRequests)
        }
    }
}
