import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Mailing
@testable import Vestibule

/// A passkey that a browser made by itself, and that its owner wants at the second step, too.
@Suite(.timeLimit(.minutes(15)))
struct PasskeySecondStepTests {
    private static let email = "ada@example.com"
    private static let security = "/account/security"

    /// Somebody whose browser has made a passkey by itself; and where the button sends its form.
    private func upgraded(_ house: House) async throws -> (member: Browser, key: Authenticator, form: String) {
        let member = try await house.member(Self.email)
        var key = Authenticator(number: 1)
        try await member.add(&key, byItself: true)
        let page = try await member.get(Self.security)
        let found = page.body.firstMatch(of: /action="(\/account\/security\/passkeys\/[^"\/]+\/second)"/)
        return (member, key, String(try #require(found?.output.1)))
    }

    @Test func `it is asked for after the password from then on, and its owner is told`() async throws {
        try await withHouse { house in
            let (member, key, form) = try await upgraded(house)
            #expect(try await house.visitor().logIn(email: Self.email).location == "/account")
            let used = try await member.submit(form)
            #expect(used.leads(to: Browser.codesPage, saying: .passkeySecondStepWithoutCodes))
            let mail = try await house.mailbox.next(
                to: Self.email, subject: "Signing in now needs a second step")
            #expect(mail.text.contains("/account/security/undo?token="))
            #expect(try await house.events(of: Self.email).contains { $0.kind == .passkeySecondStep })
            let visitor = house.visitor(at: "203.0.113.7")
            #expect(try await visitor.logIn(email: Self.email).location == "/login/second")
            #expect(try await visitor.second(with: key).location == "/account")
            #expect(try await !visitor.get(Self.security).body.contains("/second\""))
        }
    }

    @Test func `one that nobody asked for is no second step when an app is`() async throws {
        try await withHouse { house in
            let (member, _, _) = try await upgraded(house)
            try await member.addApp(at: house.clock.now)
            let visitor = house.visitor(at: "203.0.113.7")
            #expect(try await visitor.logIn(email: Self.email).location == "/login/second")
            let step = try await visitor.get("/login/second")
            #expect(step.shows("name=\"code\"") && !step.shows("passkey"))
        }
    }

    @Test func `the app that its owner adds later is asked for after it, too`() async throws {
        try await withHouse { house in
            let (member, key, _) = try await upgraded(house)
            let app = try await member.addApp(at: house.clock.now)
            let thief = house.visitor(at: "203.0.113.7")
            #expect(try await thief.logIn(with: key).location == "/login/second")
            #expect(try await thief.second(with: key).status == .unprocessableContent)
            #expect(try await thief.get("/account").location == "/login?return_to=/account")
            house.clock.advance(by: .seconds(60))
            #expect(try await thief.second(code: app.code(at: house.clock.now)).location == "/account")
            let mail = try await house.mailbox.next(to: Self.email, subject: "New sign-in to your account")
            #expect(mail.text.contains("passkey and authenticator app") && mail.text.contains("past the second step"))
        }
    }

    @Test func `five wrong codes after it are mailed, and the mail speaks of the passkey`() async throws {
        try await withHouse { house in
            let (member, key, _) = try await upgraded(house)
            try await member.addApp(at: house.clock.now)
            let thief = house.visitor(at: "203.0.113.7")
            try await thief.logIn(with: key)
            for _ in 1...5 { try await thief.second(code: "000000") }
            let mail = try await house.mailbox.next(
                to: Self.email, subject: "Someone couldn't finish signing in to your account")
            for text in [mail.text, mail.html] {
                #expect(text.contains("has a passkey for your account") && !text.contains("knows your password"))
            }
        }
    }

    @Test func `it proves no second factor before the account has one`() async throws {
        try await withHouse { house in
            let (_, key, _) = try await upgraded(house)
            let thief = house.app()
            #expect(try await thief.signIn(with: key).status == .ok)
            #expect(try await thief.prove(with: key).status == .unauthorized)
        }
    }

    @Test func `it is no proof where the app is asked for again`() async throws {
        try await withHouse { house in
            let (member, key, _) = try await upgraded(house)
            try await member.addApp(at: house.clock.now)
            house.clock.advance(by: .seconds(601))
            let asked = try await member.submit("\(Browser.appPage)/remove")
            #expect(asked.heading == "Confirm it&#39;s you")
            #expect(try await member.prove(asked, with: key).status == .unprocessableContent)
            #expect(try await house.factors(of: Self.email).asksSecondStep)
        }
    }

    @Test func `where a second factor is asked for, it is not among the passkeys to sign with`() async throws {
        try await withHouse { house in
            let (member, silent, _) = try await upgraded(house)
            var factor = Authenticator(number: 2)
            try await member.add(&factor)
            let visitor = house.visitor(at: "203.0.113.7")
            #expect(try await visitor.logIn(email: Self.email).location == "/login/second")
            let own = [Base64URL.encode(factor.id)]
            let step = try await visitor.question("/login/second/options")
            #expect(step.allowCredentials?.map(\.id) == own)
            let proof = try await member.question("\(Browser.passkeys)/proof-options")
            #expect(proof.allowCredentials?.map(\.id) == own)
            let app = house.app(at: "203.0.113.8")
            try await app.signIn(with: factor)
            let asked = try await app.call(.post, "factors/proof/options")
            #expect(asked.status == .ok && asked.body.contains(own[0]))
            #expect(!asked.body.contains(Base64URL.encode(silent.id)))
        }
    }

    @Test func `its authenticator makes no other, and the page says how to use it`() async throws {
        try await withHouse { house in
            let (member, key, form) = try await upgraded(house)
            let question = try await member.question("\(Browser.passkeys)/options")
            #expect(question.excludeCredentials?.map(\.id) == [Base64URL.encode(key.id)])
            let advice = "If you aren&#39;t asked for it when you sign in"
            #expect(try await member.get(Browser.passkeys).shows(advice))
            try await member.submit(form)
            #expect(try await !member.get(Browser.passkeys).shows(advice))
        }
    }

    @Test func `its use waits for the second step once`() async throws {
        try await withHouse { house in
            let (member, key, _) = try await upgraded(house)
            try await member.addApp(at: house.clock.now)
            let visitor = house.visitor(at: "203.0.113.7")
            let signed = try key.assertion(try await visitor.question("/login/passkey/options").bytes)
            #expect(try await visitor.send(signed).location == "/login/second")
            #expect(try await visitor.send(signed).status == .unprocessableContent)
        }
    }

    @Test func `it takes a proof, and a passkey of one's own`() async throws {
        try await withHouse { house in
            let (member, _, form) = try await upgraded(house)
            let eve = try await house.member("eve@example.com")
            let theirs = try await eve.submit(form)
            #expect(theirs.location == Browser.passkeys && theirs.flash == nil)
            house.clock.advance(by: .seconds(600))
            let asked = try await member.submit(form)
            #expect(asked.heading == "Confirm it&#39;s you")
            #expect(try await !house.factors(of: Self.email).asksSecondStep)
            let fields = ["csrf": asked.csrf ?? "", "current_password": Browser.goodPassword]
            #expect(try await member.post(asked.heldForm ?? "", fields).location == Browser.codesPage)
            #expect(try await house.factors(of: Self.email).asksSecondStep)
        }
    }

    @Test func `it is not offered where no second step is asked for`() async throws {
        try await withHouse([.secondFactor: "off"]) { house in
            let member = try await house.member(Self.email)
            var key = Authenticator(number: 1)
            try await member.add(&key, byItself: true)
            for page in [Self.security, Browser.passkeys] {
                #expect(try await !member.get(page).body.contains("/second\""))
            }
            let id = try await house.factors(of: Self.email).passkeys[0].id
            #expect(try await member.submit("\(Browser.passkeys)/\(id)/second").status == .notFound)
        }
    }
    @Test(arguments: ["optional", "off"])
    func `recovery codes are offered only where a second step is asked for`(policy: String) async throws {
        try await withHouse([.secondFactor: policy]) { house in
            let (member, _) = try await house.memberWithPasskey(Self.email)
            let isAsked = policy != "off"
            #expect(try await member.get(Self.security).body.contains("href=\"\(Browser.codesPage)\"") == isAsked)
            #expect(try await member.get(Browser.codesPage).status == (isAsked ? .ok : .notFound))
        }
    }

    @Test func `where none is asked for, a removal speaks of no recovery codes`() async throws {
        let advice = "your recovery codes"
        for policy in ["optional", "off"] {
            try await withHouse([.secondFactor: policy]) { house in
                let isAsked = policy != "off"
                let (member, _) = try await house.memberWithPasskey(Self.email)
                let page = try await member.get(Browser.passkeys)
                #expect(page.shows(advice) == isAsked)
                #expect(page.shows("You can still sign in without it") == !isAsked)
                let id = try await house.factors(of: Self.email).passkeys[0].id
                try await member.submit("\(Browser.passkeys)/\(id)/remove")
                let mail = try await house.mailbox.next(
                    to: Self.email, subject: "A passkey was removed from your account")
                for text in [mail.text, mail.html] { #expect(text.contains(advice) == isAsked) }
            }
        }
    }
}
