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

    @Test func `a document that names another issuer is not believed`() async throws {
        let standIn = try await ProviderStandIn.start()
        try await standIn.tell(["issuer": "https://evil.example"])
        try await withHouse(limits, environment: standIn.example) { house in
            let page = try await house.visitor().follow("/auth/example")
            #expect(page.leads(to: "/login", saying: .providerFailed))
            let lines = house.logs.lines(of: "authn_provider_rejected")
            #expect(lines.contains { $0.contains("discovery names another issuer") })
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
