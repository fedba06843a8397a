import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Serving
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct WrongCodeTests {
    private static let password = "staple horse battery correct"
    private static let off: [Setting: String] = [
        .limitSignup: "off", .limitMail: "off", .limitReset: "off", .limitVerify: "off", .limitLogin: "off",
    ]

    private func redeem(_ visitor: Browser, _ code: String) async throws -> Page {
        try await visitor.post(
            "/reset/verify", ["code": code, "password": Self.password, "password_confirmation": Self.password])
    }

    private func failures(_ house: House, _ email: String) async throws -> [SecurityEvent] {
        try await house.events(of: email).filter { $0.kind == .codeFailed }
    }

    @Test func `a wrong code is an event and a log line, of reset, sign-up and new address`() async throws {
        try await withHouse { house in
            let owner = try await house.member("ada@example.com")
            let visitor = house.visitor(at: "192.0.2.9")
            try await visitor.post("/reset", ["email": "ada@example.com"])
            _ = try await redeem(visitor, "999999999")
            let event = try #require(try await failures(house, "ada@example.com").first)
            #expect(event.address == IPAddress("192.0.2.9") && event.userAgent.contains("Firefox"))

            try await visitor.signUp(email: "ada@example.com")
            try await visitor.type(code: "9999999")
            #expect(try await failures(house, "ada@example.com").count == 2)
            try await owner.askForEmail("new@example.com")
            try await owner.typeEmail(code: "9999999")
            #expect(try await failures(house, "ada@example.com").count == 3)

            let lines = house.logs.lines(of: "authn_code_fail")
            #expect(
                lines.count == 3 && lines.allSatisfy { $0.hasPrefix("warning ") && !$0.contains("account=unknown") })
            #expect(try await owner.get("/account/activity").shows("Wrong code"))
            #expect(try await house.services.store.wrongCodes(now: house.clock.now) == 3)
        }
    }

    @Test func `a hundred wrong codes in a row keep a password from working, except in a known browser`() async throws {
        try await withHouse(Self.off) { house in
            let owner = try await house.member("ada@example.com")
            for _ in 0..<20 {
                let visitor = house.visitor()
                try await visitor.post("/reset", ["email": "ada@example.com"])
                for code in 0..<5 { _ = try await redeem(visitor, "99999999\(code)") }
            }
            #expect(try await house.visitor().logIn(email: "ada@example.com").shows("Invalid email or password."))
            try await owner.logOut()
            #expect(try await owner.logIn(email: "ada@example.com").status == .seeOther)
        }
    }

    @Test func `after a hundred failures in a row a reset opens the account, with a longer code`() async throws {
        try await withHouse(Self.off) { house in
            let owner = try await house.member("ada@example.com")
            let early = house.visitor()
            try await early.post("/reset", ["email": "ada@example.com"])
            let short = try await house.mailbox.code(for: "ada@example.com")
            for _ in 0..<100 { try await house.visitor().logIn(email: "ada@example.com", password: "guess") }
            #expect(try await redeem(early, short).status == .unprocessableContent)

            // Known: as ever.
            try await owner.post("/reset", ["email": "ada@example.com"])
            #expect(try await house.mailbox.code(for: "ada@example.com").utf8.count == 6)
            let newBrowser = house.visitor()
            try await newBrowser.post("/reset", ["email": "ada@example.com"])
            let long = try await house.mailbox.code(for: "ada@example.com")
            #expect(long.utf8.count == 10)
            #expect(try await redeem(newBrowser, long).status == .seeOther)
            let login = try await house.visitor().logIn(email: "ada@example.com", password: Self.password)
            #expect(login.status == .seeOther)
        }
    }

    @Test func `a known browser resets with a short code, however many failures there were`() async throws {
        try await withHouse(Self.off) { house in
            let owner = try await house.member("ada@example.com")
            for _ in 0..<100 { try await house.visitor().logIn(email: "ada@example.com", password: "guess") }
            try await owner.post("/reset", ["email": "ada@example.com"])
            let code = try await house.mailbox.code(for: "ada@example.com")
            #expect(try await redeem(owner, code).status == .seeOther)
        }
    }

    @Test(arguments: ["12345", "12345678901", "123456789a"])
    func `text that is not a code costs no try`(typed: String) async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            try await visitor.signUp(email: "ada@example.com")
            #expect(try await visitor.type(code: typed).shows("That code is wrong or has expired."))
            #expect(try await house.services.store.wrongCodes(now: house.clock.now) == 0)
        }
    }
}
