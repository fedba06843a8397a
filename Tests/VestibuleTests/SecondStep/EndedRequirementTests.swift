import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// Sessions that waited for a second factor, after a restart with another
/// `VESTIBULE_SECOND_FACTOR`.
@Suite(.timeLimit(.minutes(15)))
struct EndedRequirementTests {
    private static let email = "ada@example.com"
    private static let policies = ["optional", "off"]

    /// A member's browser, and an app, that have waited for a factor and go on after the restart.
    private struct Waited: Sendable {
        let browser: Browser
        let app: App
        let house: House
    }

    private func withWaited(
        _ policy: String, environment: [String: String] = [:],
        _ test: @escaping @Sendable (Waited) async throws -> Void
    ) async throws {
        let store = try await sharedStore()
        try await withHouse([.secondFactor: "required"], store: store, environment: environment) { before in
            let (member, app) = (try await before.member(Self.email), before.app())
            #expect(try await member.get("/account").location == "/account/security")
            #expect(try await app.signIn(Self.email).status == .ok)
            #expect(try await app.call(.get, "user").code == "second_factor_required")
            try await withHouse([.secondFactor: policy], store: store, environment: environment) { house in
                let browser = house.visitor()
                for (name, value) in await member.cookies { await browser.set(name, value) }
                try await test(Waited(browser: browser, app: house.app(token: await app.token), house: house))
            }
        }
    }

    @Test(arguments: policies)
    func `once none is required, no session waits for one`(policy: String) async throws {
        try await withWaited(policy) { waited in
            let user = try await waited.app.call(.get, "user")
            #expect(user.status == .ok)
            #expect(try await waited.browser.get("/account").status == .ok)
        }
    }

    @Test(arguments: policies)
    func `applications behind the proxy are opened, too`(policy: String) async throws {
        try await withWaited(policy, environment: ProxiedBrowser.environment) { waited in
            let proxied = ProxiedBrowser(waited.house, waited.browser)
            _ = try await proxied.visit("/x")
            #expect(try await proxied.verdict("/x").status == .ok)
        }
    }

    @Test(arguments: policies)
    func `clients get tokens, too`(policy: String) async throws {
        try await withWaited(policy, environment: RelyingParty.environment) { waited in
            let party = try await waited.house.party()
            let offline = ["scope": "openid offline_access", "prompt": "consent"]
            let (given, _) = try await party.signIn(waited.browser, offline)
            #expect(try await party.refresh(given["refresh_token"] ?? "").status == .ok)
        }
    }

    @Test func `when one is added then, the other sessions stay`() async throws {
        try await withWaited("optional") { waited in
            try await waited.browser.addApp(at: waited.house.clock.now)
            #expect(try await waited.app.call(.get, "user").status == .ok)
        }
    }
}
