import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// Before the right password nobody learns whether an account has a second factor.
@Suite(.timeLimit(.minutes(15)))
struct SecondStepSecrecyTests {
    private static let emails = ["with@example.com", "none@example.com", "gone@example.com", "noby@example.com"]

    /// One with a passkey, one without, a disabled one with a passkey; the last is unknown.
    private func populate(_ house: House) async throws {
        for (number, email) in Self.emails.dropLast().enumerated() {
            let member = try await house.member(email)
            var key = Authenticator(number: UInt8(number + 1))
            if email != "none@example.com" { try await member.add(&key) }
        }
        try await house.disable("gone@example.com")
    }

    private func described(_ page: Page, _ email: String) -> String {
        let fields = page.headers.map { "\($0.name): \($0.value)" }.filter { !$0.hasPrefix("Date: ") }.sorted()
        return "\(page.status) \(fields) \(page.body.replacing(email, with: ""))"
    }

    @Test func `a wrong password is answered alike, byte by byte`() async throws {
        try await withHouse([.limitLogin: "off"]) { house in
            try await populate(house)
            var answers: Set<String> = []
            for email in Self.emails {
                let page = try await house.visitor(at: "203.0.113.7").logIn(email: email, password: "guess")
                #expect(page.status == .unprocessableContent && page.headers[.setCookie] == nil)
                answers.insert(described(page, email))
            }
            #expect(answers.count == 1)
        }
    }

    @Test func `the API answers alike, too`() async throws {
        try await withHouse([.limitLogin: "off"]) { house in
            try await populate(house)
            var answers: Set<String> = []
            for email in Self.emails {
                let reply = try await house.app(at: "203.0.113.7").signIn(email, password: "guess")
                #expect(reply.status == .unauthorized && reply.code == "invalid_credentials")
                answers.insert(reply.body)
            }
            #expect(answers.count == 1)
        }
    }

    @Test func `the right password of a disabled account is a wrong one`() async throws {
        try await withHouse([.limitLogin: "off"]) { house in
            try await populate(house)
            let right = try await house.visitor(at: "203.0.113.7").logIn(email: "gone@example.com")
            let unknown = try await house.visitor(at: "203.0.113.7").logIn(email: "noby@example.com")
            #expect(right.status == .unprocessableContent)
            #expect(described(right, "gone@example.com") == described(unknown, "noby@example.com"))
        }
    }

    @Test func `the login page and its options name no passkey`() async throws {
        try await withHouse { house in
            let empty = try await house.visitor().get("/login").body
            try await populate(house)
            #expect(try await house.visitor().get("/login").body == empty)
            let question = try await house.visitor().question("/login/passkey/options")
            #expect(question.allowCredentials?.isEmpty == true && question.bytes.count == 32)
            // The second step, too: its browser has proved a password, and nothing else.
            let visitor = house.visitor(at: "203.0.113.7")
            try await visitor.logIn(email: "with@example.com")
            #expect(try await visitor.question("/login/passkey/options").allowCredentials?.isEmpty == true)
        }
    }

    @Test func `asking for a new password and signing up are answered alike`() async throws {
        try await withHouse([.limitReset: "off", .limitSignup: "off", .limitMail: "off"]) { house in
            try await populate(house)
            for path in ["/reset", "/signup"] {
                var answers: Set<String> = []
                for email in Self.emails {
                    let visitor = house.visitor(at: "203.0.113.7")
                    let page = try await visitor.post(
                        path, path == "/reset" ? ["email": email] : Browser.signupFields(email: email))
                    #expect(page.status == .seeOther)
                    let cookies = await visitor.cookies.mapValues(\.count)
                    answers.insert("\(page.location ?? "") \(cookies.sorted { $0.key < $1.key })")
                }
                #expect(answers.count == 1)
            }
        }
    }
}
