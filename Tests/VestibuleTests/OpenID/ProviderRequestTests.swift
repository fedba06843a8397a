import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// A request of an application that waits while somebody signs in through a provider.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct ProviderRequestTests {
    private func withBoth(_ test: @escaping @Sendable (RelyingParty, House) async throws -> Void) async throws {
        let standIn = try await ProviderStandIn.shared.value
        let environment = RelyingParty.environment.merging(standIn.example) { $1 }
        try await withHouse(standIn.apple, clock: TestClock(Date()), environment: environment) { house in
            try await test(try await house.party(), house)
        }
    }

    /// The link of the login page to that provider, for somebody whom the application has sent.
    private func link(_ provider: String, _ visitor: Browser, _ party: RelyingParty) async throws -> String {
        let login = try #require(try await visitor.get(party.path()).location)
        return try #require(try await visitor.get(login).linkToProvider("return_to", provider))
    }

    /// Allows what the consent page asks to which `page` redirects, redeems the code, and returns
    /// the ID token.
    private func token(_ page: Page, _ visitor: Browser, _ party: RelyingParty) async throws -> ReadIDToken {
        let question = try #require(page.location)
        #expect(question.hasPrefix("/oauth/authorize?resume="))
        let asked = try await visitor.get(question)
        #expect(asked.heading == "Continue to Notes?")
        let answer = try Answer(try await visitor.decide(on: asked))
        #expect(answer["state"] == "s-1")
        let reply = try await party.redeem(try #require(answer["code"]))
        return try await ReadIDToken(reply["id_token"] ?? "", party.house)
    }

    @Test func `it survives for somebody new, and for somebody known`() async throws {
        try await withBoth { party, house in
            let new = house.visitor()
            try await new.comeFromExample(path: try await link("example", new, party))
            let first = try await token(try await new.acceptAndContinue(), new, party)
            #expect(first.text("email") == "ada@example.com" && first.text("nonce") == "n-1")
            let known = house.visitor(at: "203.0.113.5")
            let link = try await link("example", known, party)
            let back = try await known.comeFromExample(path: link)
            // Nothing is asked twice.
            let answer = try Answer(try await known.get(try #require(back.location)))
            let reply = try await party.redeem(try #require(answer["code"]))
            let again = try await ReadIDToken(reply["id_token"] ?? "", house)
            #expect(again.text("sub") == first.text("sub") && again.text("sid") != first.text("sid"))
        }
    }

    @Test func `it survives Apple's form, which comes without cookies`() async throws {
        let standIn = try await ProviderStandIn.shared.value
        try await withBoth { party, house in
            let visitor = house.visitor()
            try await visitor.comeFromApple(.init(), standIn, path: try await link("apple", visitor, party))
            let token = try await token(try await visitor.acceptAndContinue(), visitor, party)
            #expect(token.text("email") == "ada@example.com")
        }
    }

    @Test func `it survives a provider that refuses`() async throws {
        try await withBoth { party, house in
            let visitor = house.visitor()
            let asked = try await visitor.startSignIn(try await link("example", visitor, party), from: "/login")
            let refused = try await visitor.get("/auth/example/callback?state=\(asked.state)&error=server_error")
            let login = try await visitor.get(try #require(refused.location))
            let link = try #require(login.linkToProvider("return_to", "example"))
            try await visitor.comeFromExample(path: link)
            _ = try await token(try await visitor.acceptAndContinue(), visitor, party)
        }
    }
}
