import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// Answers that do not belong to what a browser has begun change nothing about it.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct StrayCallbackTests {
    private func answer(_ asked: Browser.Asked) throws -> String {
        let person = ProviderStandIn.Person(nonce: asked.nonce, challenge: asked.fields["code_challenge"])
        return "/auth/example/callback?state=\(asked.state)&code=\(try ProviderStandIn.code(person))"
    }

    @Test func `what was begun last goes on after an answer to something else`() async throws {
        try await withProviders { house, _ in
            let visitor = house.visitor()
            let first = try await visitor.startSignIn("/auth/example")
            let second = try await visitor.startSignIn("/auth/example")
            #expect(try await visitor.get(answer(first)).leads(to: "/login", saying: .providerFailed))
            let stray = try await visitor.get("/auth/example/callback?state=z&code=z")
            #expect(stray.leads(to: "/login", saying: .providerFailed))
            #expect(try await visitor.get("/auth/example/callback?error=access_denied").location == "/")
            #expect(try await visitor.get(answer(second)).location == "/auth/continue")
        }
    }

    @Test func `a visitor whom a provider vouched for goes on from there, whatever comes again`() async throws {
        try await withProviders { house, standIn in
            let visitor = house.visitor()
            let answer = try answer(await visitor.startSignIn("/auth/example"))
            #expect(try await visitor.get(answer).location == "/auth/continue")
            #expect(try await visitor.get(answer).location == "/auth/continue")
            #expect(try await visitor.get("/auth/example/callback?error=access_denied").location == "/")
            let tooLarge = ["state": String(repeating: "x", count: 129)]
            let refused = try await visitor.post(
                "/auth/apple/callback", tooLarge, headers: ["Origin": standIn.base, "Sec-Fetch-Site": "cross-site"])
            #expect(refused.leads(to: "/login", saying: .providerFailed))
            #expect(try await visitor.get("/auth/continue").shows("Almost there"))
            #expect(try await visitor.acceptAndContinue().location == "/account")
        }
    }

    @Test func `after a right sign-up, going back to its pages says nothing of a failure`() async throws {
        try await withProviders([.afterLoginURL: "/account/devices"]) { house, _ in
            let visitor = house.visitor()
            let answer = try answer(await visitor.startSignIn("/auth/example"))
            #expect(try await visitor.get(answer).location == "/auth/continue")
            #expect(try await visitor.acceptAndContinue().location == "/account/devices")
            for (path, destination) in [("/auth/continue", "/account/devices"), (answer, "/account/security")] {
                let page = try await visitor.get(path)
                #expect(page.location == destination && page.flash == nil)
            }
            let again = try await visitor.acceptAndContinue()
            #expect(again.location == "/account/devices" && again.flash == nil)
            #expect(try await house.visitor().get("/auth/continue").leads(to: "/login", saying: .providerFailed))
            #expect(try await house.visitor().get(answer).leads(to: "/login", saying: .providerFailed))
        }
    }

    @Test func `somebody signed in who comes too late from a provider is told`() async throws {
        try await withProviders { house, _ in
            let visitor = house.visitor()
            try await visitor.signUpThroughExample()
            let agreed = try #require(try await visitor.follow("/auth/example").agreement)
            let begun = try await visitor.follow(agreed)
            let cookie = begun.headers[values: .setCookie].first { $0.hasPrefix("vestibule-auth=") }
            #expect(cookie?.contains("Max-Age=1800") == true)
            let asked = try await visitor.startSignIn("/auth/example")
            house.clock.advance(by: .seconds(601))
            let late = try await visitor.get(answer(asked))
            #expect(late.leads(to: "/account/security", saying: .providerFailed))
        }
    }

    @Test func `an answer to what another tab has ended leads to where the ways in are listed`() async throws {
        try await withProviders([.afterLoginURL: "/account/devices"]) { house, _ in
            let member = try await house.member("grace@example.com")
            let added = try await member.startSignIn(member.linkToAddExample())
            let other = try await member.startSignIn(member.linkToAddExample())
            _ = try await member.get("/auth/example/callback?state=\(other.state)&error=access_denied")
            let page = try await member.get(answer(added))
            #expect(page.location == "/account/security" && page.flash == nil)
        }
    }

    @Test func `an answer to what was begun at another provider is refused`() async throws {
        try await withProviders { house, _ in
            let visitor = house.visitor()
            let asked = try await visitor.startSignIn("/auth/apple")
            #expect(try await visitor.get(answer(asked)).leads(to: "/login", saying: .providerFailed))
        }
    }

    @Test func `an answer that was right but not believed ends what was begun`() async throws {
        try await withProviders { house, _ in
            let visitor = house.visitor()
            let asked = try await visitor.startSignIn("/auth/example")
            let no = "/auth/example/callback?state=\(asked.state)&error=server_error"
            #expect(try await visitor.get(no).leads(to: "/login", saying: .providerFailed))
            #expect(await visitor.cookies["vestibule-auth"] == nil)
            #expect(try await visitor.get(answer(asked)).leads(to: "/login", saying: .providerFailed))
        }
    }
}
