import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Mailing
@testable import Vestibule

/// What happens to an account between the two steps, and around them.
@Suite(.timeLimit(.minutes(15)))
struct SecondStepChangesTests {
    private static let email = "ada@example.com"

    private func waiting(_ house: House) async throws -> (owner: Browser, key: Authenticator, visitor: Browser) {
        let (owner, key) = try await house.memberWithPasskey(Self.email)
        let visitor = house.visitor(at: "203.0.113.7")
        #expect(try await visitor.logIn(email: Self.email).location == "/login/second")
        return (owner, key, visitor)
    }

    @Test func `a changed password ends what waits`() async throws {
        try await withHouse { house in
            let (owner, key, visitor) = try await waiting(house)
            let password = "another horse battery"
            let changed = try await owner.submit(
                "/account/password",
                [
                    "current_password": Browser.goodPassword, "password": password,
                    "password_confirmation": password,
                ])
            #expect(changed.status == .seeOther)
            #expect(try await visitor.second(with: key).location == "/login")
            #expect(try await !visitor.isSignedIn())
        }
    }

    @Test func `a changed address ends what waits, on pages and in apps`() async throws {
        try await withHouse { house in
            let (owner, _, visitor) = try await waiting(house)
            let codes = try await owner.makeRecoveryCodes().recoveryCodes
            try #require(codes.count == 10)
            let app = house.app(at: "203.0.113.8")
            let flow = try #require(try await app.signIn(Self.email)["flow"])
            try await owner.askForEmail("new@example.com")
            let changed = try await owner.typeEmail(code: house.mailbox.code(for: "new@example.com"))
            try #require(changed.leads(to: "/account", saying: .emailChanged))
            #expect(try await visitor.post("/login/second", ["code": codes[0]]).location == "/login")
            #expect(try await !visitor.isSignedIn())
            let late = try await app.call(.post, "sign-in/second", ["flow": flow, "code": codes[1]])
            #expect(late.status == .unprocessableContent && late.body.contains(#""flow_ended":true"#))
            #expect(try await !app.isSignedIn())
        }
    }

    @Test func `a disabled account ends what waits`() async throws {
        try await withHouse { house in
            let (_, key, visitor) = try await waiting(house)
            try await house.disable(Self.email)
            #expect(try await visitor.second(with: key).location == "/login")
            #expect(try await !visitor.isSignedIn())
        }
    }

    @Test func `a reset by mail removes no factor`() async throws {
        try await withHouse { house in
            let (_, key, visitor) = try await waiting(house)
            let password = "another horse battery"
            try await visitor.post("/reset", ["email": Self.email])
            let code = try await house.mailbox.code(for: Self.email, subject: "Your code for a new password")
            let reset = try await visitor.post(
                "/reset/verify", ["code": code, "password": password, "password_confirmation": password])
            #expect(reset.location == "/login")
            #expect(try await visitor.logIn(email: Self.email, password: password).location == "/login/second")
            #expect(try await house.factors(of: Self.email).passkeys.count == 1)
            #expect(try await visitor.second(with: key).location == "/account")
        }
    }

    @Test func `twenty second steps with one signature make one session`() async throws {
        try await withHouse([.limitVerify: "off"]) { house in
            let (_, key, visitor) = try await waiting(house)
            let question = try await visitor.question("/login/passkey/options")
            let credential = try key.assertion(question.bytes).text
            let cookies = await visitor.cookies
            let opened = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        let tab = house.visitor(at: "203.0.113.7")
                        for (name, value) in cookies { await tab.set(name, value) }
                        try await tab.post("/login/second", ["credential": credential])
                        return await tab.cookies["vestibule"] != nil
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(opened == 1)
        }
    }

    @Test func `the mail about a new browser names both proofs`() async throws {
        try await withHouse { house in
            let (_, key, visitor) = try await waiting(house)
            try await visitor.second(with: key)
            let mail = try await house.mailbox.next(to: Self.email, subject: "New sign-in to your account")
            for body in [mail.text, mail.html] {
                #expect(body.contains("password and passkey") && body.contains("Check your second factors as well"))
                #expect(body.contains("/account/password") && body.contains("/account/security"))
            }
            try await house.visitor(at: "203.0.113.9").logIn(with: key)
            let next = try await house.mailbox.next(to: Self.email, subject: "New sign-in to your account")
            #expect(next.text.contains("passkey") && !next.text.contains("password and passkey"))
            #expect(!next.text.contains("second factors"))
        }
    }

    @Test func `applications learn how somebody signed in`() async throws {
        let notes = try #require(Origin("https://notes.example.com"))
        try await withHouse { house in
            let (_, key, visitor) = try await waiting(house)
            try await visitor.second(with: key)
            let direct = house.visitor(at: "203.0.113.9")
            try await direct.logIn(with: key)
            let bob = try await house.member("bob@example.com")
            for (browser, methods) in [
                (visitor, ["pwd", "pop", "mfa"]), (direct, ["pop", "mfa"]), (bob, ["pwd"]),
            ] {
                let record = try await house.record(of: browser)
                let text = try await house.assertions().assertion(for: record, audience: notes).value
                let read = try ReadAssertion(text, keySet: try await house.keySet())
                #expect(Set(read.list("amr") ?? []) == Set(methods))
            }
        }
    }

    @Test func `switched off, nothing is asked and a passkey still signs in`() async throws {
        let store = try await sharedStore()
        try await withHouse(store: store) { house in
            let owner = try await house.memberWithPasskey(Self.email)
            #expect(try await owner.browser.isSignedIn())
        }
        try await withHouse([.secondFactor: "off"], store: store) { house in
            let visitor = house.visitor(at: "203.0.113.7")
            let page = try await visitor.logIn(email: Self.email)
            let isSignedIn = try await visitor.isSignedIn()
            #expect(page.location == "/account" && isSignedIn)
        }
    }
}
