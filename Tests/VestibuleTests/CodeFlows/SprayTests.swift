import Foundation
import HTTPTypes
import Logging
import TestSupport
import Testing

@testable import Essentials
@testable import Mailing
@testable import Serving
@testable import Vestibule

/// Codes guessed at for many addresses from many networks.
@Suite(.timeLimit(.minutes(15)))
struct SprayTests {
    private static let password = "staple horse battery correct"
    /// Known, unknown and new ones take turns.
    private static let wrongCodes = 200

    private func redeem(_ visitor: Browser, _ code: String) async throws -> Page {
        try await visitor.post(
            "/reset/verify", ["code": code, "password": Self.password, "password_confirmation": Self.password])
    }

    /// Five wrong codes for each address, each from a network of its own. Returns how many were
    /// answered as wrong.
    private func spray(_ house: House, _ flows: Range<Int>) async throws -> Int {
        var wrong = 0
        for number in flows {
            let visitor = house.visitor(at: "198.51.\(number / 200).\(number % 200)")
            let email = number.isMultiple(of: 2) ? "victim\(number % 8)@example.com" : "nobody\(number)@example.com"
            try await visitor.post("/reset", ["email": email])
            for code in 0..<5 where try await redeem(visitor, "99999\(code)").status == .unprocessableContent {
                wrong += 1
            }
        }
        return wrong
    }

    private func length(_ house: House, of email: String) async throws -> Int {
        try await house.mailbox.code(for: email).utf8.count
    }

    private static let settings: [Setting: String] = [
        .limitSignup: "off", .limitMail: "off", .limitReset: "off", .limitVerify: "5/10m/flow, 30/h/ip, 100/d/ip",
    ]

    @Test func `after two hundred wrong codes in a day a browser that is not known needs a longer one`() async throws {
        try await withHouse(Self.settings) { house in
            let owner = try await house.member("ada@example.com")
            for number in stride(from: 0, to: 8, by: 2) { _ = try await house.member("victim\(number)@example.com") }
            let early = house.visitor()
            try await early.post("/reset", ["email": "ada@example.com"])
            let short = try await house.mailbox.code(for: "ada@example.com")
            #expect(short.utf8.count == 6)
            #expect(try await spray(house, 0..<40) == Self.wrongCodes)
            #expect(try await house.services.store.wrongCodes(now: house.clock.now) == Self.wrongCodes)

            // No short code is tried any more, the right one included.
            #expect(try await redeem(early, short).shows("That code is wrong or has expired."))
            try await early.post("/reset/resend", [:])
            let long = try await house.mailbox.code(for: "ada@example.com")
            #expect(long.utf8.count == 10)

            try await owner.post("/reset", ["email": "ada@example.com"])
            #expect(try await length(house, of: "ada@example.com") == 6)
            #expect(try await redeem(early, "\(long.prefix(5)) \(long.suffix(5))").status == .seeOther)
        }
    }

    @Test func `whether a code is long does not tell who has an account`() async throws {
        try await withHouse(Self.settings) { house in
            _ = try await house.member("ada@example.com")
            _ = try await spray(house, 0..<40)
            try await house.visitor().signUp(email: "ada@example.com")
            let newcomer = house.visitor()
            try await newcomer.signUp(email: "new@example.com")
            #expect(try await length(house, of: "ada@example.com") == 10)
            let code = try await house.mailbox.code(for: "new@example.com")
            #expect(code.utf8.count == 10)
            #expect(try await newcomer.type(code: code).location == "/account")
            // The new address of somebody who is signed in is proved by a long one, too.
            try await newcomer.askForEmail("newer@example.com")
            let change = try await house.mailbox.code(for: "newer@example.com")
            #expect(change.utf8.count == 10)
            #expect(try await newcomer.typeEmail(code: change).status == .seeOther)
            let app = house.app()
            let flow = try await app.call(.post, "password-reset", ["email": "ada@example.com"])["flow"] ?? ""
            let appCode = try await house.mailbox.code(for: "ada@example.com")
            let body = ["flow": flow, "code": appCode, "password": Self.password]
            #expect(try await app.call(.post, "password-reset/verify", body).status == .noContent)
        }
    }

    @Test func `a day later codes are short again`() async throws {
        try await withHouse(Self.settings, logLevel: .debug) { house in
            _ = try await house.member("ada@example.com")
            _ = try await spray(house, 0..<40)
            house.clock.advance(by: .seconds(25 * 3600))
            try await house.tidy()
            #expect(try await house.services.store.wrongCodes(now: house.clock.now) == 0)
            let visitor = house.visitor()
            try await visitor.post("/reset", ["email": "ada@example.com"])
            let code = try await house.mailbox.code(for: "ada@example.com")
            #expect(code.utf8.count == 6)
            #expect(try await redeem(visitor, code).status == .seeOther)
        }
    }

    @Test func `codes made before, tried all at once, get no more than two hundred tries`() async throws {
        try await withHouse(Self.settings.merging([.limitVerify: "5/10m/flow"]) { $1 }) { house in
            var flows: [(Browser, String)] = []
            for number in 0..<20 {
                let email = "owner\(number)@example.com"
                _ = try await house.member(email)
                let visitor = house.visitor(at: "198.51.100.\(number)")
                try await visitor.post("/reset", ["email": email])
                flows.append((visitor, try await house.mailbox.code(for: email)))
            }
            _ = try await spray(house, 300..<338)
            let visitors = flows
            let opened = try await withThrowingTaskGroup(of: Bool.self) { group in
                for (visitor, code) in visitors {
                    group.addTask {
                        for _ in 0..<4 { _ = try await redeem(visitor, code == "000000" ? "000001" : "000000") }
                        return try await redeem(visitor, code).status == .seeOther
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            // 190 were wrong before: of the 20 flows at most two come to their fifth try, which is
            // right.
            #expect(opened <= 2)
            #expect(try await house.services.store.wrongCodes(now: house.clock.now) >= Self.wrongCodes)
        }
    }

    @Test func `a reset that the operator mailed keeps its short code`() async throws {
        try await withHouse(Self.settings) { house in
            _ = try await house.member("ada@example.com")
            _ = try await spray(house, 0..<40)
            let administration = Administration(services: house.services)
            let account = try await house.services.store.account(
                .address("ada@example.com" as EmailAddress))
            #expect(try await administration.sendReset(to: try #require(account).account))
            house.services.outboxSignal.send()
            let text = try await house.mailbox.next(to: "ada@example.com").text
            let flow = try #require(text.firstMatch(of: /flow=([A-Za-z0-9_-]+)/)).output.1
            let code = try #require(text.firstMatch(of: /\b\d{6}\b/)).output
            let visitor = house.visitor()
            try await visitor.get("/reset/continue?flow=\(flow)")
            try await visitor.post("/reset/continue", [:])
            #expect(try await redeem(visitor, String(code)).leads(to: "/login", saying: .passwordChanged))
        }
    }
}
