import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Mailing
@testable import Serving
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct ParallelSignupTests {
    private static let off: [Setting: String] = [
        .limitSignup: "off", .limitMail: "off", .limitVerify: "off", .limitLogin: "off",
    ]

    /// One address, written differently by each: so it shows whose mail is whose.
    private static let spellings = (0..<12).map { number in
        "ada".enumerated().map { number >> $0.offset & 1 == 1 ? $0.element.uppercased() : String($0.element) }.joined()
            + (number & 8 == 8 ? "B" : "b") + "@example.com"
    }

    private func password(_ email: String) -> String {
        "\(Browser.goodPassword) \(Self.spellings.firstIndex(of: email) ?? -1)"
    }

    private func together(_ work: [@Sendable () async throws -> Page]) async throws -> [Page] {
        try await withThrowingTaskGroup(of: Page.self) { group in
            for one in work { group.addTask { try await one() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func `a right code sent many times at once is never called wrong`() async throws {
        try await withHouse(Self.off) { house in
            let visitor = house.visitor()
            try await visitor.signUp(email: "ada@example.com")
            let code = try await house.mailbox.code(for: "ada@example.com")
            let answers = try await together((0..<8).map { _ in { try await visitor.type(code: code) } })
            #expect(answers.allSatisfy { $0.status == .seeOther })
            #expect(answers.contains { $0.location == "/account" })
        }
    }

    @Test func `of an address with an account it tells its owner, however often it is sent`() async throws {
        try await withHouse(Self.off) { house in
            _ = try await house.member("ada@example.com")
            let visitor = house.visitor()
            try await visitor.signUp(email: "ada@example.com")
            let code = try await house.mailbox.code(for: "ada@example.com")
            for answer in try await together((0..<8).map { _ in { try await visitor.type(code: code) } }) {
                #expect(
                    answer.location == "/signup/verify" || answer.shows("An account with this email already exists."))
            }
            let told = try await visitor.get("/signup/verify")
            #expect(told.shows("An account with this email already exists."))
        }
    }

    @Test func `sign-ups of one address, all at once, make one account, of who finished first`() async throws {
        try await withHouse(Self.off) { house in
            let visitors = Self.spellings.enumerated().map { ($1, house.visitor(at: "192.0.2.\($0)")) }
            let asked = try await together(
                visitors.map { email, visitor in
                    { try await visitor.signUp(email: email, password: password(email)) }
                })
            #expect(asked.allSatisfy { $0.status == .seeOther && $0.location == "/signup/verify" })

            var codes: [String: String] = [:]
            for _ in visitors {
                let mail = try await house.mailbox.next(to: "adab@example.com")
                codes[mail.to] = try #require(mail.text.firstMatch(of: /\b\d{6}\b/)).output.description
            }
            #expect(codes.count == visitors.count)
            let typed = codes
            let answers = try await together(
                visitors.map { email, visitor in { try await visitor.type(code: typed[email] ?? "") } })
            #expect(answers.count { $0.status == .seeOther } == 1)
            let taken = answers.filter { $0.shows("An account with this email already exists.") }
            #expect(taken.count == visitors.count - 1)

            var owners: [String] = []
            for (email, _) in visitors {
                let login = try await house.visitor().logIn(email: "adab@example.com", password: password(email))
                if login.status == .seeOther { owners.append(email) }
            }
            let key = "adab@example.com" as EmailAddress
            let account = try #require(try await house.services.store.account(.address(key))).account
            #expect(owners == [account.email.typed])
            #expect(try await house.services.store.accounts(in: nil, after: nil, limit: 99).count == 1)
        }
    }
}
