import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Vestibule

/// What makes a provider believed besides its signature: that it is the one of the settings.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct ProviderTrustTests {
    private let limits: [Setting: String] = [.limitLogin: "off", .limitSignup: "off"]

    @Test func `the same subject at another provider is somebody else`() async throws {
        let (apple, other) = (try await ProviderStandIn.shared.value, try await ProviderStandIn.start())
        let settings = apple.apple.merging(limits) { $1 }
        try await withHouse(settings, clock: TestClock(Date()), environment: other.example) { house in
            try await house.visitor().signUpThroughExample()
            for email in ["ada@example.com", "eve@example.com"] {
                let visitor = house.visitor()
                let page = try await visitor.comeFromApple(.init(email: email), apple)
                let isSignedIn = try await visitor.isSignedIn()
                #expect(page.status == .seeOther && !isSignedIn)
            }
            let again = house.visitor()
            try await again.comeFromExample()
            #expect(try await again.get("/account").shows("ada@example.com"))
        }
    }

    @Test func `an account goes by the name that its provider has in the settings now`() async throws {
        let standIn = try await ProviderStandIn.shared.value
        let renamed = Dictionary(
            uniqueKeysWithValues: standIn.example.map { ($0.replacing("EXAMPLE", with: "GOOGLE"), $1) })
        let clock = TestClock(Date())
        try await HouseEngine.with { store in
            try await withHouse(limits, store: store, clock: clock, environment: standIn.example) { house in
                try await house.visitor().signUpThroughExample()
            }
            try await withHouse(limits, store: store, clock: clock, environment: renamed) { house in
                let visitor = house.visitor()
                let asked = try await visitor.startSignIn("/auth/google")
                let code = try ProviderStandIn.code(
                    .init(nonce: asked.nonce, challenge: asked.fields["code_challenge"]))
                let page = try await visitor.get("/auth/google/callback?state=\(asked.state)&code=\(code)")
                #expect(page.location == "/account")
                #expect(try await visitor.get("/account/security").linkToProvider("link") == nil)
                house.clock.advance(by: .seconds(601))
                #expect(try await visitor.get("/account/delete").linkToProvider("prove", "google") != nil)
            }
        }
    }

    @Test(arguments: [(255, "/auth/continue"), (256, "/login")])
    func `a subject is as long as the standard lets it be`(length: Int, page: String) async throws {
        try await withProviders { house, _ in
            let subject = String(repeating: "s", count: length)
            let answer = try await house.visitor().comeFromExample(.init(sub: subject))
            #expect(answer.location == page)
        }
    }

    private func expectDistrusted(_ says: [String: String], _ reason: String) async throws {
        let standIn = try await ProviderStandIn.start()
        try await standIn.tell(["says": says])
        try await withHouse(limits, environment: standIn.example) { house in
            let page = try await house.visitor().follow("/auth/example")
            #expect(page.leads(to: "/login", saying: .providerFailed))
            let lines = house.logs.lines(of: "authn_provider_rejected")
            #expect(lines.contains { $0.contains(reason) })
        }
    }

    @Test func `a document that names another issuer is not believed`() async throws {
        let reason = "discovery names another issuer: https://evil.example, not http"
        try await expectDistrusted(["issuer": "https://evil.example"], reason)
    }

    @Test(arguments: ["authorization", "token", "revocation"])
    func `a document that names an endpoint without encryption is not believed`(endpoint: String) async throws {
        let reason = "discovery names an endpoint that is not encrypted"
        try await expectDistrusted(["\(endpoint)_endpoint": "http://other.example/"], reason)
    }

    @Test(arguments: ["http", "relative", "number"])
    func `a userinfo endpoint that cannot be used keeps out nobody who is known, and is not called`(
        endpoint: String
    ) async throws {
        let (standIn, other) = (try await ProviderStandIn.start(), try await ProviderStandIn.start())
        let endpoints: [String: any Sendable] = [
            "http": "\(other.base)/auth/userinfo", "relative": "/auth/userinfo", "number": 1,
        ]
        let (clock, said) = (TestClock(Date()), try #require(endpoints[endpoint]))
        try await HouseEngine.with { store in
            try await withHouse(limits, store: store, clock: clock, environment: standIn.example) { house in
                try await house.visitor().signUpThroughExample()
            }
            try await standIn.tell(["says": ["userinfo_endpoint": said]])
            try await withHouse(limits, store: store, clock: clock, environment: standIn.example) { house in
                let known = ProviderStandIn.Person(email: nil, info: "{}")
                #expect(try await house.visitor().comeFromExample(known).location == "/account")
                let new = ProviderStandIn.Person(sub: "001234.new", email: nil, info: "{}")
                let page = try await house.visitor().comeFromExample(new)
                #expect(page.location == "/auth/continue")
                let lines = house.logs.lines(of: "authn_provider_rejected")
                #expect(lines.count == 1 && lines[0].contains("no userinfo endpoint"), "\(lines)")
            }
            for provider in [standIn, other] {
                #expect(try await provider.record().allSatisfy { $0["call"] != "userinfo" })
            }
        }
    }

    @Test func `keys are not looked for where a provider redirects to`() async throws {
        let standIn = try await ProviderStandIn.start()
        try await standIn.tell(["keys": "moved"])
        try await withHouse(limits, clock: TestClock(Date()), environment: standIn.example) { house in
            let page = try await house.visitor().comeFromExample()
            #expect(page.leads(to: "/login", saying: .providerFailed))
            #expect(house.logs.lines(of: "authn_provider_unavailable").contains { $0.contains("302") })
            #expect(try await standIn.record().allSatisfy { $0["call"] != "keys/moved" })
        }
    }
}
