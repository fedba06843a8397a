import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Mailing
@testable import Serving
@testable import Vestibule

/// What a new password does to other ways in.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct WaysInReviewTests {
    private static let password = "a tram over nine"

    /// A member with one way in from 31 days ago, and one from just now.
    private func member(_ house: House, _ standIn: ProviderStandIn) async throws -> Browser {
        let member = try await house.member("ada@example.com")
        house.clock.advance(by: .seconds(1))
        try await member.comeFromApple(.init(sub: "new"), standIn, path: try #require(link(member, "apple")))
        let store = house.services.store
        let account = try #require(try await store.loginRecord(emailKey: "ada@example.com", failuresKey: []).account)
        let old = Identity(
            id: "old", accountID: account.id, provider: "example", issuer: standIn.base, subject: "old", email: nil,
            createdAt: house.clock.now.addingTimeInterval(-31 * 86_400))
        let audit = house.services.audit
        let visitor = Visitor(client: .unknown, userAgent: "", locale: "en", requestID: "")
        _ = try await store.link(
            LinkedIdentity(identity: old, refreshToken: nil), by: try await house.record(of: member).presented,
            once: nil,
            FactorChange(
                accountID: account.id, renewal: nil,
                notice: MailContent(kind: .identityAdded, to: "ada@example.com", locale: "en", values: [:])
                    .sealed(for: "ada@example.com", key: House.key, id: UUID().uuidString, now: house.clock.now),
                event: audit.event(.identityLinked, accountID: account.id, visitor: visitor)))
        return member
    }

    private func link(_ member: Browser, _ provider: String) async throws -> String? {
        try await member.get("/account/security").body.matches(of: /href="(\/auth\/[a-z]+\?link=[^"]+)"/)
            .map { String($0.output.1) }.first { $0.hasPrefix("/auth/\(provider)?") }
    }

    private func expectReviewed(_ house: House, _ standIn: ProviderStandIn, told: String) async throws {
        try await expectReviewed(house, standIn)
        #expect(told.contains("added in the last 30 days: Apple."))
        #expect(told.contains("These still sign you in: Example."))
    }

    private func expectReviewed(
        _ house: House, _ standIn: ProviderStandIn, _ subject: String = "Your password was changed"
    ) async throws {
        let mail = try await house.mailbox.next(to: "ada@example.com", subject: subject)
        #expect(!mail.text.contains("\n\n\n"))
        for text in [mail.text, mail.html] {
            #expect(text.contains("These other ways still sign you in:"))
            #expect(text.contains("Example.") && text.contains("removed because") && text.contains("Apple."))
        }
        #expect(try await house.services.store.identities(of: "ada@example.com").map(\.id) == ["old"])
        let events = try await house.events(of: "ada@example.com").map(\.kind)
        #expect(events.count { $0 == .identityUnlinked } == 1)
        #expect(try await house.visitor().comeFromApple(.init(sub: "new"), standIn).location == "/auth/continue")
        let tokens = try await standIn.record().filter { $0["call"] == "/auth/revoke" }.map { $0["token"] ?? "" }
        #expect(tokens.contains { $0.hasSuffix(".new") })
    }

    @Test func `a reset takes away what was added in the last 30 days, and names what stays`() async throws {
        try await withProviders { house, standIn in
            _ = try await member(house, standIn)
            let owner = house.visitor()
            try await owner.post("/reset", ["email": "ada@example.com"])
            let code = try await house.mailbox.code(for: "ada@example.com", subject: "Your code for a new password")
            let fields = ["code": code, "password": Self.password, "password_confirmation": Self.password]
            let done = try await owner.post("/reset/verify", fields)
            #expect(done.leads(to: "/login", saying: .passwordChanged))
            #expect(
                done.flash?.details == [
                    Flash.Detail(key: "notice.ways_removed", values: ["ways": "Apple"]),
                    Flash.Detail(key: "notice.ways_kept", values: ["ways": "Example"]),
                ])
            try await expectReviewed(house, standIn, told: try await owner.get("/login").body)
        }
    }

    @Test func `a changed password does the same`() async throws {
        try await withProviders { house, standIn in
            let member = try await member(house, standIn)
            let fields = [
                "csrf": try await member.get("/account").csrf ?? "", "current_password": Browser.goodPassword,
                "password": Self.password, "password_confirmation": Self.password,
            ]
            let done = try await member.post("/account/password", fields)
            #expect(done.leads(to: "/account/security", saying: .passwordReplaced))
            try await expectReviewed(house, standIn, told: try await member.get("/account/security").body)
        }
    }

    @Test func `a factor that is taken back does the same`() async throws {
        try await withProviders { house, standIn in
            let member = try await member(house, standIn)
            try await member.addApp(at: house.clock.now)
            let mail = try await house.mailbox.next(to: "ada@example.com", subject: "An authenticator app was added")
            let link = try #require(mail.text.firstMatch(of: /\/account\/security\/undo\?token=[A-Za-z0-9_-]+/))
            let owner = house.visitor()
            _ = try await owner.open(String(link.output))
            let done = try await owner.post("/account/security/undo", [:])
            #expect(done.leads(to: "/reset", saying: .factorTakenBack))
            try await expectReviewed(house, standIn, "Changes to your account were taken back")
        }
    }

    @Test func `an account with nothing but a password is told nothing of other ways`() async throws {
        try await withProviders { house, _ in
            let member = try await house.member("ada@example.com")
            let fields = [
                "csrf": try await member.get("/account").csrf ?? "", "current_password": Browser.goodPassword,
                "password": Self.password, "password_confirmation": Self.password,
            ]
            let done = try await member.post("/account/password", fields)
            #expect(done.leads(to: "/account/security", saying: .passwordReplaced))
            let mail = try await house.mailbox.next(to: "ada@example.com", subject: "Your password was changed")
            #expect(!mail.text.contains("ways to sign in"))
            let said = try await member.get("/account/security")
            #expect(said.shows("every other browser has been signed out") && !said.shows("still sign you in"))
        }
    }

    @Test func `the way in that opened a proved account is not taken away with its first password`() async throws {
        try await withProviders { house, _ in
            let visitor = house.visitor()
            try await visitor.signUpThroughExample()
            house.clock.advance(by: .seconds(60))
            try await visitor.post("/reset", ["email": "ada@example.com"])
            let code = try await house.mailbox.code(for: "ada@example.com", subject: "Your code for a new password")
            let fields = ["code": code, "password": Self.password, "password_confirmation": Self.password]
            let done = try await visitor.post("/reset/verify", fields)
            #expect(done.leads(to: "/login", saying: .passwordChanged))
            #expect(done.flash?.details == [Flash.Detail(key: "notice.ways_kept", values: ["ways": "Example"])])
            #expect(try await house.visitor().comeFromExample().location == "/account")
        }
    }

    /// Somebody opens an account with an address that is not theirs, and keeps a way in.
    private func squatter(_ house: House) async throws -> Browser {
        let squatter = house.visitor()
        try await squatter.signUp(email: "ada@example.com")
        try await squatter.comeFromExample(
            .init(sub: "early", email: "t@example.net"), path: squatter.linkToAddExample())
        try #require(try await house.services.store.identities(of: "ada@example.com").count == 1)
        return squatter
    }

    private func withoutVerification(_ test: @escaping @Sendable (House) async throws -> Void) async throws {
        let standIn = try await ProviderStandIn.shared.value
        try await withHouse(
            [.verification: "off", .limitLogin: "off"], clock: TestClock(Date()), environment: standIn.example,
            test)
    }

    @Test func `an operator who confirms the address ends the ways in from before`() async throws {
        try await withoutVerification { house in
            _ = try await squatter(house)
            let email = "ada@example.com" as EmailAddress
            let account = try #require(try await house.services.store.account(.address(email))).account
            #expect(try await Administration(services: house.services).verify(account))
            #expect(try await house.services.store.identities(of: "ada@example.com").isEmpty)
        }
    }

    @Test func `once mailboxes have to be proved, no unproved account is opened by a provider`() async throws {
        let standIn = try await ProviderStandIn.shared.value
        let store = try await sharedStore()
        let clock = TestClock(Date())
        try await withHouse([.verification: "off"], store: store, clock: clock, environment: standIn.example) { house in
            _ = try await squatter(house)
        }
        try await withHouse([.limitLogin: "off"], store: store, clock: clock, environment: standIn.example) { house in
            let visitor = house.visitor()
            let early = ProviderStandIn.Person(sub: "early", email: "t@example.net")
            #expect(try await visitor.comeFromExample(early).leads(to: "/login", saying: .providerFailed))
            #expect(try await !visitor.isSignedIn())
            // Its mailbox's owner signs up: the code proves the mailbox, and the way in is gone.
            let owner = house.visitor()
            try await owner.signUp(email: "ada@example.com")
            let mail = try await house.mailbox.next(to: "ada@example.com", subject: "You already have an account")
            for text in [mail.text, mail.html] { #expect(!text.contains("changes nothing") && !text.contains("only")) }
            let code = try #require(mail.text.firstMatch(of: /\b\d{6}\b/)).output
            #expect(try await owner.type(code: String(code)).status == .unprocessableContent)
            #expect(try await store.identities(of: "ada@example.com").isEmpty)
        }
    }
}
