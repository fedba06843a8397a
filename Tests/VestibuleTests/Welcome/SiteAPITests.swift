import HTTPTypes
import TestSupport
import Testing

@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct SiteAPITests {
    @Test func `an app learns name, tagline and the providers that take its tokens`() async throws {
        let apple = try await ProviderStandIn.shared.value.apple
        try await withHouse(apple.merging([.brandTagline: "Notes & more"]) { $1 }) { house in
            let site = try await house.app().call(.get, "site")
            #expect(site["tagline"] == "Notes & more")
            #expect(site["providers.0.id"] == "apple" && site["providers.0.native"] == "1")
        }
        // Without ids of apps, Apple's tokens for apps are for nobody here.
        try await withHouse(apple.filter { $0.key != .appleAppIDs }) { house in
            let site = try await house.app().call(.get, "site")
            #expect(site["tagline"] == "Sign in to continue, or create an account. It takes a minute.")
            #expect(site["providers.0.id"] == "apple" && site["providers.0.native"] == "0")
        }
    }

    @Test(arguments: [("en", "Terms"), ("de", "Nutzungsbedingungen")])
    func `the terms come as text, in the language of the app`(_ language: String, _ title: String) async throws {
        try await withHouse([.termsVersion: "7"]) { house in
            let terms = try await house.app().call(.get, "terms", headers: ["Accept-Language": language])
            #expect(terms["version"] == "7" && terms["language"] == language)
            let lines = try #require(terms["text"]).split(separator: "\n")
            #expect(lines.first.map(String.init) == title)
            #expect(lines.count > 8 && !lines.contains { $0.contains("<") || $0.contains("&") })
        }
    }
}
