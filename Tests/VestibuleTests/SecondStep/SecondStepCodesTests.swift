import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Mailing
@testable import Vestibule

/// The second step by authenticator app and by recovery code.
@Suite(.timeLimit(.minutes(15)))
struct SecondStepCodesTests {
    private static let email = "ada@example.com"

    /// Somebody with an app and ten recovery codes, half a minute later.
    private func owner(_ house: House) async throws -> (browser: Browser, app: AuthenticatorApp, codes: [String]) {
        let owner = try await house.member(Self.email)
        let app = try await owner.addApp(at: house.clock.now)
        let codes = try await owner.makeRecoveryCodes().recoveryCodes
        try #require(codes.count == 10)
        house.clock.advance(by: .seconds(30))
        return (owner, app, codes)
    }

    /// In how many of twenty browsers the code ended a login of its own.
    private func sessions(openedBy code: String, _ house: House) async throws -> Int {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<20 {
                group.addTask {
                    let visitor = house.visitor(at: "203.0.113.\(number)")
                    guard try await visitor.logIn(email: Self.email).location == "/login/second" else { return false }
                    try await visitor.second(code: code)
                    return await visitor.cookies["vestibule"] != nil
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
    }

    @Test func `twenty logins with one code make one session`() async throws {
        try await withHouse([.limitLogin: "off", .limitVerify: "off"]) { house in
            let (_, app, codes) = try await owner(house)
            #expect(try await sessions(openedBy: app.code(at: house.clock.now), house) == 1)
            #expect(try await sessions(openedBy: codes[0], house) == 1)
            #expect(try await house.factors(of: Self.email).recoveryCodes?.left == 9)
        }
    }

    @Test func `a used recovery code is mailed, with how many are left, and the sign-in names it`() async throws {
        try await withHouse { house in
            let (_, _, codes) = try await owner(house)
            let visitor = house.visitor(at: "203.0.113.7")
            try await visitor.logIn(email: Self.email)
            #expect(try await visitor.second(code: " \(codes[3].uppercased()) ").location == "/account")
            // They go out together, in either order.
            let (used, new) = ("A recovery code was used", "New sign-in to your account")
            var texts: [String: String] = [:]
            while texts[used] == nil || texts[new] == nil {
                let mail = try await house.mailbox.next(to: Self.email)
                texts[mail.subject] = mail.text
            }
            #expect(texts[used]?.contains("9") == true)
            #expect(texts[new]?.contains("password and recovery code") == true)
            #expect(try await house.events(of: Self.email).map(\.kind).contains(.recoveryCodeUsed))
            #expect(try await house.session(of: visitor).proof.secondFactor == .recoveryCode)
        }
    }

    @Test func `the API names what may be sent, and each way ends the login`() async throws {
        try await withHouse { house in
            let (_, app, codes) = try await owner(house)
            for (number, code) in [app.code(at: house.clock.now), codes[0]].enumerated() {
                let client = house.app(at: "203.0.113.\(number)")
                let first = try await client.signIn(Self.email)
                #expect(first["methods.0"] == "totp" && first["methods.1"] == "recovery_code")
                #expect(first["methods.2"] == nil)
                let second = try await client.call(
                    .post, "sign-in/second", ["flow": first["flow"] ?? "", "code": code])
                #expect(second.status == .ok)
            }
        }
    }

    @Test func `a proof by app lets a form go on, and the same code no second one`() async throws {
        try await withHouse { house in
            let (browser, app, _) = try await owner(house)
            house.clock.advance(by: .seconds(600))
            let code = app.code(at: house.clock.now)
            let asked = try await browser.submit("/account/sessions/end-others")
            #expect(asked.asksSecondProof)
            #expect(try await browser.prove(on: asked, code: code).status == .seeOther)
            let visitor = house.visitor(at: "203.0.113.7")
            try await visitor.logIn(email: Self.email)
            #expect(try await visitor.second(code: code).status == .unprocessableContent)
        }
    }

    @Test func `applications learn of the code`() async throws {
        let notes = try #require(Origin("https://notes.example.com"))
        try await withHouse { house in
            let (_, app, _) = try await owner(house)
            let visitor = house.visitor(at: "203.0.113.7")
            try await visitor.logIn(email: Self.email)
            try await visitor.second(code: app.code(at: house.clock.now))
            let record = try await house.record(of: visitor)
            let text = try await house.assertions().assertion(for: record, audience: notes).value
            let read = try ReadAssertion(text, keySet: try await house.keySet())
            #expect(read.list("amr") == ["pwd", "otp", "mfa"])
            #expect(read.number("auth_time") == Int(house.clock.now.timeIntervalSince1970))
        }
    }
}
