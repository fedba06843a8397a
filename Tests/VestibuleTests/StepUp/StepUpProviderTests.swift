import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// Second factors beside providers: accounts without a password, and ways in that are added.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct StepUpProviderTests {
    private static let email = "ada@example.com"

    @Test func `an account without a password adds a passkey after the provider's word`() async throws {
        try await withProviders { house, _ in
            let visitor = house.visitor()
            try await visitor.signUpThroughExample()
            house.clock.advance(by: .seconds(601))
            var key = Authenticator(number: 1)
            let other = try await visitor.add(&key)
            let asked = try await visitor.add(&key)
            #expect(asked.status == .ok && !asked.asksSecondProof)
            let link = try #require(asked.linkToProvider("prove"))
            let back = try await visitor.comeFromExample(.init(ahead: 601), path: link)
            #expect(back.status == .seeOther && back.location?.contains("held=") == true)
            let page = try await visitor.get(back.location ?? "")
            #expect(page.heading == "Thank you")
            // The provider's word was for one form; another one that waited is gone.
            let gone = try await visitor.post(other.heldForm ?? "", ["csrf": page.csrf ?? ""])
            #expect(gone.leads(to: "/account/security", saying: .formStale))
            let done = try await visitor.post(page.heldForm ?? "", ["csrf": page.csrf ?? ""])
            #expect(done.status == .ok && done.heading == "Passkeys")
            try await visitor.add(&key)
            #expect(try await house.factors(of: Self.email).passkeys.count == 1)
        }
    }

    @Test func `an account without a password changes the language of mails after the provider's word`() async throws {
        try await withProviders { house, _ in
            let visitor = house.visitor()
            try await visitor.signUpThroughExample()
            house.clock.advance(by: .seconds(601))
            try await visitor.get("/account?lang=de")
            let asked = try await visitor.submit("/account/language")
            let link = try #require(asked.linkToProvider("prove"))
            let back = try await visitor.comeFromExample(.init(ahead: 601), path: link)
            let page = try await visitor.get(back.location ?? "")
            let done = try await visitor.post(try #require(page.heldForm), ["csrf": page.csrf ?? ""])
            #expect(done.leads(to: "/account", saying: .mailLanguageSaved))
            #expect(try await house.account(Self.email).locale == "de")
        }
    }

    @Test func `a way in is added after the second factor only`() async throws {
        try await withProviders { house, _ in
            let (member, key) = try await house.memberWithPasskey("grace@example.com")
            house.clock.advance(by: .seconds(601))
            let link = try await member.linkToAddExample()
            let refused = try await member.follow(link)
            #expect(refused.status == .seeOther && refused.location?.hasPrefix("/account/confirm") == true)
            let asked = try await member.get(refused.location ?? "")
            #expect(asked.asksSecondProof)
            let proved = try await member.prove(asked, with: key)
            #expect(proved.status == .seeOther && proved.location?.hasPrefix("/account/confirm?add=") == true)
            let page = try await member.get(proved.location ?? "")
            let start = try #require(page.linkToProvider("link"))
            let added = try await member.comeFromExample(.init(ahead: 601), path: start)
            #expect(added.leads(to: "/account/security", saying: .identityAdded))
        }
    }

    @Test func `a trusted browser's password connects no identity`() async throws {
        try await withProviders { house, _ in
            let (_, key) = try await house.memberWithPasskey(Self.email)
            house.clock.advance(by: .seconds(1))
            let visitor = house.visitor(at: "203.0.113.7")
            try await visitor.logIn(email: Self.email)
            try await visitor.second(with: key, trust: true)
            try await visitor.comeFromExample()
            try await visitor.logIn(email: Self.email, returnTo: "/auth/continue")
            #expect(try await house.session(of: visitor).proof.secondFactor == nil)
            let csrf = try await visitor.get("/auth/continue").csrf ?? ""
            let asked = try await visitor.post("/auth/continue/connect", ["csrf": csrf])
            #expect(asked.asksSecondProof)
            let done = try await visitor.prove(asked, with: key)
            #expect(done.leads(to: "/account/security", saying: .identityAdded))
        }
    }

    @Test func `a way in is removed after the second factor only`() async throws {
        try await withProviders { house, _ in
            let (member, key) = try await house.memberWithPasskey("grace@example.com")
            let added = try await member.comeFromExample(path: try await member.linkToAddExample())
            #expect(added.leads(to: "/account/security", saying: .identityAdded))
            house.clock.advance(by: .seconds(601))
            let page = try await member.get("/account/security")
            let path = page.body.firstMatch(of: /action="(\/account\/identities\/[^"]+\/remove)"/)?.output.1
            let asked = try await member.submit(try #require(path.map(String.init)))
            #expect(asked.asksSecondProof)
            #expect(try await house.visitor().comeFromExample(.init(ahead: 601)).location == "/login/second")
            let done = try await member.prove(asked, with: key)
            #expect(done.leads(to: "/account/security", saying: .identityRemoved))
            #expect(try await house.visitor().comeFromExample(.init(ahead: 601)).location == "/auth/continue")
        }
    }
}
