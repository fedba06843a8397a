import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Mailing
@testable import Serving
@testable import Vestibule

/// A passkey that a browser made by itself, which may be a thief's.
@Suite(.timeLimit(.minutes(15)))
struct SilentPasskeyTests {
    private static let email = "ada@example.com"
    private static let password = "a tram over nine"
    private static let newSignIn = "New sign-in to your account"

    /// A thief with the password has one.
    private func thief(_ house: House) async throws -> Authenticator {
        _ = try await house.member(Self.email)
        let thief = house.visitor(at: "203.0.113.9")
        try await thief.logIn(email: Self.email)
        var key = Authenticator(number: 7)
        #expect(try await thief.add(&key, name: "Stolen", byItself: true).status == .seeOther)
        return key
    }

    private func reset(_ house: House) async throws -> Page {
        let owner = house.visitor()
        try await owner.post("/reset", ["email": Self.email])
        let code = try await house.mailbox.code(for: Self.email, subject: "Your code for a new password")
        let fields = ["code": code, "password": Self.password, "password_confirmation": Self.password]
        let done = try await owner.post("/reset/verify", fields)
        #expect(done.leads(to: "/login", saying: .passwordChanged))
        return try await owner.get("/login")
    }

    @Test func `thirty a day are made, so that their mails bury no other`() async throws {
        try await withHouse([.limitLogin: "off"]) { house in
            _ = try await house.member(Self.email)
            for number in 0...30 {
                // A session makes one.
                let thief = house.visitor()
                try await thief.logIn(email: Self.email)
                var key = Authenticator(number: UInt8(number))
                let added = try await thief.add(&key, byItself: true)
                #expect(added.status == (number < 30 ? .seeOther : .tooManyRequests))
                for passkey in try await house.factors(of: Self.email).passkeys {
                    let removed = try await thief.submit("\(Browser.passkeys)/\(passkey.id)/remove")
                    #expect(removed.leads(to: Browser.passkeys, saying: .passkeyRemoved))
                }
            }
            #expect(try await house.events(of: Self.email).count { $0.kind == .passkeyAdded } == 30)
        }
    }

    @Test func `a reset ends one of the last 30 days, and names it`() async throws {
        try await withHouse { house in
            let key = try await thief(house)
            let page = try await reset(house)
            #expect(page.shows("in the last 30 days: Stolen."))
            let mail = try await house.mailbox.next(to: "ada@example.com", subject: "Your password was changed")
            for text in [mail.text, mail.html] { #expect(text.contains("Stolen") && text.contains("by itself")) }
            let entry = try await house.visitor().logIn(with: key)
            #expect(entry.status == .unprocessableContent)
        }
    }

    @Test func `a reset names an older one, which stays`() async throws {
        try await withHouse { house in
            let key = try await thief(house)
            house.clock.advance(by: .seconds(31 * 86_400))
            let page = try await reset(house)
            #expect(page.shows("These passkeys still sign you in: Stolen."))
            let mail = try await house.mailbox.next(to: "ada@example.com", subject: "Your password was changed")
            #expect(mail.text.contains("These passkeys still sign you in: Stolen."))
            #expect(!mail.text.contains("\n\n\n"))
            #expect(try await house.visitor().logIn(with: key).status == .seeOther)
        }
    }

    @Test func `the mail about one says that the browser may have made it`() async throws {
        try await withHouse { house in
            let owner = try await house.member(Self.email)
            for (number, byItself) in [(UInt8(7), true), (8, false)] {
                var key = Authenticator(number: number)
                #expect(try await owner.add(&key, byItself: byItself).status == .seeOther)
                let mail = try await house.mailbox.next(to: Self.email, subject: "A passkey was added to your account")
                #expect(!mail.text.contains("\n\n\n"))
                for text in [mail.text, mail.html] {
                    #expect(text.contains("by itself right after you signed up") == byItself)
                }
            }
        }
    }

    @Test func `a changed password ends it as well`() async throws {
        try await withHouse { house in
            let owner = try await house.member(Self.email)
            let thief = house.visitor(at: "203.0.113.9")
            try await thief.logIn(email: Self.email)
            var key = Authenticator(number: 7)
            try await thief.add(&key, byItself: true)
            let fields = [
                "current_password": Browser.goodPassword, "password": Self.password,
                "password_confirmation": Self.password,
            ]
            let done = try await owner.submit("/account/password", fields)
            #expect(done.leads(to: "/account/security", saying: .passwordReplaced))
            #expect(try await house.visitor().logIn(with: key).status == .unprocessableContent)
        }
    }

    @Test func `a changed password ends no factor of an account that was never verified`() async throws {
        try await withHouse([.verification: "off"]) { house in
            let owner = house.visitor()
            try await owner.signUp(email: Self.email)
            var key = Authenticator(number: 7)
            try await owner.add(&key)
            let fields = [
                "current_password": Browser.goodPassword, "password": Self.password,
                "password_confirmation": Self.password,
            ]
            let done = try await owner.submit("/account/password", fields)
            #expect(done.leads(to: "/account/security", saying: .passwordReplaced))
            #expect(try await house.visitor().logIn(with: key).location == "/account")
        }
    }

    @Test func `a first proof of the mailbox says that everything else went`() async throws {
        try await withHouse([.verification: "off"]) { house in
            try await house.visitor().signUp(email: Self.email)
            let page = try await reset(house)
            #expect(page.shows("Your email address is now confirmed."))
            let mail = try await house.mailbox.next(to: "ada@example.com", subject: "Your password was changed")
            for text in [mail.text, mail.html] { #expect(text.contains("email address is now confirmed")) }
        }
    }

    @Test func `a browser makes one within five minutes after the password`() async throws {
        try await withHouse { house in
            let member = try await house.member(Self.email)
            house.clock.advance(by: .seconds(300))
            var key = Authenticator(number: 7)
            #expect(try await member.add(&key, byItself: true).status == .unprocessableContent)
            #expect(try await house.factors(of: Self.email).passkeys.isEmpty)
        }
    }

    @Test func `a code of the app is no password`() async throws {
        try await withHouse { house in
            let member = try await house.member(Self.email)
            let app = try await member.addApp(at: house.clock.now)
            house.clock.advance(by: .seconds(3600))
            let asked = try await member.submit("\(Browser.appPage)/remove")
            #expect(try await member.prove(on: asked, code: app.code(at: house.clock.now)).status == .seeOther)
            var key = Authenticator(number: 7)
            #expect(try await member.add(&key, byItself: true).status == .unprocessableContent)
            #expect(try await house.factors(of: Self.email).passkeys.isEmpty)
        }
    }

    @Test func `a session makes one once`() async throws {
        try await withHouse { house in
            let member = try await house.member(Self.email)
            for (number, status) in [(UInt8(7), HTTPResponse.Status.seeOther), (8, .unprocessableContent)] {
                var key = Authenticator(number: number)
                #expect(try await member.add(&key, byItself: true).status == status)
            }
            #expect(try await house.factors(of: Self.email).passkeys.count == 1)
        }
    }

    @Test func `the mail about a sign-in with a passkey speaks of passkeys`() async throws {
        try await withHouse { house in
            let key = try await thief(house)
            let first = try await house.mailbox.next(to: Self.email, subject: Self.newSignIn)
            #expect(first.text.contains("knows your password"))
            #expect(try await house.visitor(at: "198.51.100.4").logIn(with: key).status == .seeOther)
            let mail = try await house.mailbox.next(to: Self.email, subject: Self.newSignIn)
            for text in [mail.text, mail.html] {
                #expect(text.contains("remove every") && text.contains("/account/security"))
                #expect(!text.contains("knows your password"))
            }
        }
    }
}
