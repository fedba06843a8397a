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
        let csrf = try await visitor.get("/account").csrf ?? ""
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

    @Test func `a proof that fails, or a change of mind there, leads back to the question`() async throws {
        try await withProviders { house, standIn in
            let visitor = house.visitor()
            try await visitor.signUpThroughExample()
            try await visitor.comeFromApple(Self.other, standIn)
            house.clock.advance(by: .seconds(601))
            let link = try #require(try await connect(visitor).linkToProvider("prove", "example"))
            let undated = try await visitor.comeFromExample(.init(lie: "no_auth", ahead: 601), path: link)
            #expect(undated.leads(to: "/auth/continue", saying: .providerNotDated))
            let asked = try await visitor.startSignIn(link)
            let cancelled = try await visitor.get("/auth/example/callback?state=\(asked.state)&error=access_denied")
            #expect(cancelled.location == "/auth/continue")
            #expect(try await visitor.get("/auth/continue").shows(Self.question))
        }
    }

    @Test func `who comes from the new provider again keeps where they wanted to go`() async throws {
        try await withProviders { house, standIn in
            let again = "/auth/apple?return_to=/auth/continue"
            for (wishing, visitor) in [(true, try await stranger(house, standIn)), (false, house.visitor())] {
                let new = ProviderStandIn.Person(sub: wishing ? Self.other.sub : "001234.third")
                #expect(try await visitor.comeFromApple(new, standIn, path: again).location == "/auth/continue")
                #expect(try await visitor.comeFromExample(path: Self.firstOne).location == "/auth/continue")
                let connected = try await connect(visitor)
                let isSaid = connected.leads(to: "/account/security", saying: .identityAdded)
                #expect(wishing ? connected.location == "/privacy" : isSaid)
            }
        }
    }

    @Test func `somebody else who signed in meanwhile ends what waits`() async throws {
        try await withProviders { house, standIn in
            _ = try await house.member("grace@example.com")
            let visitor = try await stranger(house, standIn)
            let asked = try await visitor.startSignIn(Self.firstOne)
            // In another tab.
            try await visitor.logIn(email: "grace@example.com")
            #expect(await visitor.cookies["vestibule-auth-pending"] != nil)
            let code = try ProviderStandIn.code(.init(nonce: asked.nonce, challenge: asked.fields["code_challenge"]))
            let page = try await visitor.get("/auth/example/callback?state=\(asked.state)&code=\(code)")
            #expect(page.leads(to: "/account", saying: .signedInAlready))
            #expect(await visitor.cookies["vestibule-auth-pending"] == nil)
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
            let page = try await connect(visitor)
            #expect(page.location == "/account/security" && page.flash == nil)
            #expect(try await identities(house) == 1)
        }
    }

    @Test func `what waits ends after thirty minutes, whatever was begun meanwhile, and who comes later is told`()
        async throws
    {
        try await withProviders { house, standIn in
            try await house.visitor().signUpThroughExample()
            let visitor = house.visitor()
            let waits = try await visitor.comeFromApple(Self.other, standIn)
            let cookie = waits.headers[values: .setCookie].first { $0.hasPrefix("vestibule-auth-pending=") }
            #expect(cookie?.contains("Max-Age=3600") == true)
            let pending = try #require(await visitor.cookies["vestibule-auth-pending"])
            house.clock.advance(by: .seconds(1750))
            let asked = try await visitor.startSignIn(Self.firstOne)
            house.clock.advance(by: .seconds(51))
            let person = ProviderStandIn.Person(
                nonce: asked.nonce, challenge: asked.fields["code_challenge"], ahead: 1801)
            let code = try ProviderStandIn.code(person)
            let page = try await visitor.get("/auth/example/callback?state=\(asked.state)&code=\(code)")
            #expect(page.location == "/auth/continue")
            let question = try await visitor.get("/auth/continue")
            #expect(question.leads(to: "/account/security", saying: .providerFailed))
            #expect(await visitor.cookies["vestibule-auth-pending"] == nil)
            await visitor.set("vestibule-auth-pending", pending)
            #expect(try await connect(visitor).leads(to: "/account/security", saying: .providerFailed))
            #expect(try await identities(house) == 1)
        }
    }
}
