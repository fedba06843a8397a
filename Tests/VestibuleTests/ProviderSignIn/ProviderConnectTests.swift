import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// Another provider vouches for the address of an account that was opened through the first one.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct ProviderConnectTests {
    private static let other = ProviderStandIn.Person(sub: "001234.other")
    private static let firstOne = "/auth/example?return_to=/auth/continue"
    private static let question = "Connect Apple to your account ada@example.com?"

    /// A browser of nobody's yet for which Apple has vouched.
    private func stranger(_ house: House, _ standIn: ProviderStandIn) async throws -> Browser {
        try await house.visitor().signUpThroughExample()
        let visitor = house.visitor()
        let page = try await visitor.comeFromApple(Self.other, standIn, path: "/auth/apple?return_to=/privacy")
        #expect(page.location == "/auth/continue")
        return visitor
    }

    private func connect(_ visitor: Browser) async throws -> Page {
        let csrf = try await visitor.get("/auth/continue").csrf ?? ""
        return try await visitor.post("/auth/continue/connect", ["csrf": csrf])
    }

    private func identities(_ house: House) async throws -> Int {
        try await house.services.store.identities(of: "ada@example.com").count
    }

    @Test func `who has no password signs in through the first provider, and is asked before it is connected`()
        async throws
    {
        try await withProviders { house, standIn in
            let visitor = try await stranger(house, standIn)
            #expect(try await visitor.get("/auth/continue").shows("Sign in to it once to connect Apple"))
            #expect(try await visitor.comeFromExample(path: Self.firstOne).location == "/auth/continue")
            #expect(try await visitor.get("/auth/continue").shows(Self.question))
            #expect(try await identities(house) == 1)
            #expect(try await connect(visitor).location == "/privacy")
            #expect(try await house.visitor().comeFromApple(Self.other, standIn).location == "/account")
        }
    }

    @Test func `who proves it again at the first provider comes back to the question`() async throws {
        try await withProviders { house, standIn in
            let visitor = house.visitor()
            try await visitor.signUpThroughExample()
            try await visitor.comeFromApple(Self.other, standIn)
            house.clock.advance(by: .seconds(601))
            let link = try #require(try await connect(visitor).linkToProvider("prove", "example"))
            #expect(try await visitor.comeFromExample(.init(ahead: 601), path: link).location == "/auth/continue")
            #expect(try await visitor.get("/auth/continue").shows(Self.question))
            #expect(try await connect(visitor).leads(to: "/account/security", saying: .identityAdded))
        }
    }

    @Test func `a failure at the first provider, or a change of mind there, loses nothing`() async throws {
        try await withProviders { house, standIn in
            let visitor = try await stranger(house, standIn)
            func answer(_ error: String) async throws -> Page {
                let asked = try await visitor.startSignIn(Self.firstOne, from: "/login")
                return try await visitor.get("/auth/example/callback?state=\(asked.state)&error=\(error)")
            }
            let login = "/login?return_to=/auth/continue"
            #expect(try await answer("server_error").leads(to: login, saying: .providerFailed))
            #expect(try await answer("access_denied").location == "/?return_to=/auth/continue")
            #expect(try await visitor.comeFromExample(path: Self.firstOne).location == "/auth/continue")
            #expect(try await connect(visitor).location == "/privacy")
        }
    }

    @Test func `somebody else who signs in there connects nothing`() async throws {
        try await withProviders { house, standIn in
            let visitor = try await stranger(house, standIn)
            let eve = ProviderStandIn.Person(sub: "001234.eve", email: "eve@example.com")
            try await house.visitor().signUpThroughExample(eve)
            #expect(try await visitor.comeFromExample(eve, path: Self.firstOne).location == "/auth/continue")
            let told = "signed in as eve@example.com, but ada@example.com has an account of its own."
            #expect(try await visitor.get("/auth/continue").shows(told))
            #expect(try await connect(visitor).location == "/auth/continue")
            #expect(try await identities(house) == 1)
            #expect(try await house.services.store.identities(of: "eve@example.com").count == 1)
        }
    }

    @Test func `a sign-in that does not lead to the question ends what waits for it`() async throws {
        try await withProviders { house, standIn in
            let visitor = try await stranger(house, standIn)
            #expect(await visitor.cookies["vestibule-auth-pending"] != nil)
            #expect(try await visitor.comeFromExample().location == "/account")
            #expect(await visitor.cookies["vestibule-auth-pending"] == nil)
            _ = try await connect(visitor)
            #expect(try await identities(house) == 1)
        }
    }

    @Test func `what waits for the question ends after thirty minutes, whatever was begun meanwhile`() async throws {
        try await withProviders { house, standIn in
            let visitor = try await stranger(house, standIn)
            house.clock.advance(by: .seconds(1750))
            let asked = try await visitor.startSignIn(Self.firstOne)
            house.clock.advance(by: .seconds(51))
            let person = ProviderStandIn.Person(
                nonce: asked.nonce, challenge: asked.fields["code_challenge"], ahead: 1801)
            let code = try ProviderStandIn.code(person)
            let page = try await visitor.get("/auth/example/callback?state=\(asked.state)&code=\(code)")
            #expect(page.location == "/auth/continue")
            #expect(try await !visitor.get("/auth/continue").shows(Self.question))
            _ = try await connect(visitor)
            #expect(try await identities(house) == 1)
        }
    }
}
