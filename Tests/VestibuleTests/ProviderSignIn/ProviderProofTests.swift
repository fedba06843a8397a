import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Serving
@testable import Vestibule

/// Who has no password proves again through a provider who they are.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct ProviderProofTests {
    /// The link on the page that deletes the account, for a session whose proof is old.
    private func link(_ visitor: Browser, _ house: House) async throws -> String {
        house.clock.advance(by: .seconds(601))
        return try #require(try await visitor.get("/account/delete").linkToProvider("prove"))
    }

    private func isFresh(_ visitor: Browser) async throws -> Bool {
        try await visitor.get("/account/delete").linkToProvider("prove") == nil
    }

    @Test func `the provider is asked for a fresh sign-in, and the session gets a new token`() async throws {
        try await withProviders { house, _ in
            let visitor = house.visitor()
            try await visitor.signUpThroughExample()
            let link = try await link(visitor, house)
            let asked = try await visitor.startSignIn(link)
            #expect(asked.fields["prompt"] == "login" && asked.fields["max_age"] == "0")
            let before = await visitor.cookies["vestibule"]
            #expect(try await visitor.comeFromExample(.init(ahead: 601), path: link).location == "/account/delete")
            #expect(await visitor.cookies["vestibule"] != before)
            #expect(try await isFresh(visitor))
            #expect(try await house.events(of: "ada@example.com").first?.kind == .proved)
        }
    }

    @Test func `an ordinary sign-in asks the provider when it was, and for no new one`() async throws {
        try await withProviders { house, _ in
            let asked = try await house.visitor().startSignIn("/auth/example")
            #expect(asked.fields["prompt"] == nil && asked.fields["max_age"] == "31536000")
        }
    }

    @Test func `an old sign-in there, or somebody else's, proves nothing`() async throws {
        try await withProviders { house, _ in
            let visitor = house.visitor()
            try await visitor.signUpThroughExample()
            let link = try await link(visitor, house)
            for (person, notice) in [
                (ProviderStandIn.Person(lie: "old_auth", ahead: 601), Notice.providerNotAsked),
                (.init(lie: "no_auth", ahead: 601), .providerNotDated),
                (.init(lie: "future_auth", ahead: 601), .providerNotDated),
                (.init(sub: "nobody", email: "n@example.com", ahead: 601), .providerFailed),
            ] {
                let page = try await visitor.comeFromExample(person, path: link)
                #expect(page.leads(to: "/account/security", saying: notice))
                #expect(try await !isFresh(visitor))
            }
        }
    }

    @Test func `if a provider does not say when one signed in, signing out and in is the proof`() async throws {
        try await withProviders { house, _ in
            let visitor = house.visitor()
            let silent = ProviderStandIn.Person(lie: "no_auth", ahead: 601)
            try await visitor.signUpThroughExample()
            try await visitor.comeFromExample(silent, path: try await link(visitor, house))
            let told = try await visitor.get("/account/security")
            #expect(told.shows("Example doesn&#39;t say when you signed in there. Sign out here and back in"))
            try await visitor.logOut()
            try await visitor.comeFromExample(silent)
            #expect(try await isFresh(visitor))
        }
    }

    @Test func `a new address that was sent without a proof is kept, and goes on after it`() async throws {
        try await withProviders { house, _ in
            let visitor = house.visitor()
            try await visitor.signUpThroughExample()
            let csrf = try await visitor.get("/account/email").csrf ?? ""
            house.clock.advance(by: .seconds(601))
            let asked = try await visitor.post("/account/email", ["csrf": csrf, "email": "new@example.com"])
            let link = try #require(asked.linkToProvider("prove"))
            let back = try await visitor.comeFromExample(.init(ahead: 601), path: link)
            let page = try await visitor.get(back.location ?? "")
            #expect(page.heading == "Thank you")
            let done = try await visitor.post(page.heldForm ?? "", ["csrf": page.csrf ?? ""])
            #expect(done.location == "/account/email/verify")
            #expect(try await visitor.get("/account/email/verify").shows("new@example.com"))
        }
    }

    @Test func `nobody else's link begins a proof`() async throws {
        try await withProviders { house, _ in
            let visitor = house.visitor()
            try await visitor.signUpThroughExample()
            let link = try await link(visitor, house)
            let other = try await house.member("eve@example.com")
            #expect(try await other.follow(link).status == .forbidden)
            let stranger = try await house.visitor().follow(link)
            #expect(stranger.leads(to: "/login?return_to=/account/security", saying: .signInFirst))
        }
    }

    @Test func `a proof is for the session that asked for it, not for another one of the same person`() async throws {
        try await withProviders { house, _ in
            let visitor = house.visitor()
            try await visitor.signUpThroughExample()
            let other = house.visitor(at: "203.0.113.7")
            try await other.comeFromExample()
            let link = try await link(visitor, house)
            let asked = try await visitor.startSignIn(link)
            await visitor.steal("vestibule", from: other)
            let person = ProviderStandIn.Person(
                nonce: asked.nonce, challenge: asked.fields["code_challenge"], ahead: 601)
            let code = try ProviderStandIn.code(person)
            let page = try await visitor.get("/auth/example/callback?state=\(asked.state)&code=\(code)")
            #expect(page.leads(to: "/account/security", saying: .providerFailed))
            #expect(try await !isFresh(visitor))
        }
    }

    @Test func `a form without a password does not make an old proof younger`() async throws {
        try await withProviders { house, _ in
            let visitor = house.visitor()
            try await visitor.signUpThroughExample()
            house.clock.advance(by: .seconds(500))
            let csrf = try await visitor.get("/account/confirm").csrf ?? ""
            try await visitor.post("/account/confirm", ["csrf": csrf, "current_password": "x"])
            house.clock.advance(by: .seconds(101))
            #expect(try await !isFresh(visitor))
        }
    }

    @Test func `with Apple a whole round trip counts`() async throws {
        try await withProviders { house, standIn in
            let visitor = house.visitor()
            try await visitor.comeFromApple(.init(), standIn)
            try await visitor.acceptAndContinue()
            let link = try await link(visitor, house)
            // Apple's clock and ours must agree on when our secret was made.
            house.clock.advance(by: .seconds(-601))
            let before = await visitor.cookies["vestibule"]
            let page = try await visitor.comeFromApple(.init(), standIn, path: link)
            #expect(page.location == "/account/delete")
            #expect(await visitor.cookies["vestibule"] != before)
            #expect(try await house.events(of: "ada@example.com").contains { $0.kind == .proved })
        }
    }
}
