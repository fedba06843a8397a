import Testing

@testable import Essentials
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct PrivacyPageTests {
    private static let applications = [
        "VESTIBULE_APP_NOTES_ORIGINS": "https://notes.example", "VESTIBULE_APP_NOTES_LABEL": "Fir & Notes",
        "VESTIBULE_APP_WIKI_ORIGINS": "https://wiki.example", "VESTIBULE_APP_WIKI_HEADERS": "plain",
    ]
    private static let provider = [
        "VESTIBULE_OIDC_EXAMPLE_ISSUER": "https://provider.example", "VESTIBULE_OIDC_EXAMPLE_CLIENT_ID": "us",
        "VESTIBULE_OIDC_EXAMPLE_CLIENT_SECRET": "secret", "VESTIBULE_OIDC_EXAMPLE_LABEL": "Example & Co",
    ]
    private static let nobody = "Nobody, except the services needed to run this site"

    private func page(
        _ environment: [String: String], language: String = "en", _ look: @escaping @Sendable (Page) throws -> Void
    ) async throws {
        try await withHouse(environment: environment) { house in
            try look(try await house.visitor().get("/privacy", headers: ["Accept-Language": language]))
        }
    }

    @Test func `a site of its own tells nobody else`() async throws {
        try await page([:]) { page in
            #expect(page.shows(Self.nobody) && !page.shows("applications behind this site"))
            for kept in ["public keys", "authenticator app", "Recovery codes", "groups"] { #expect(page.shows(kept)) }
            #expect(!page.shows("sign in through another service") && !page.shows("Which applications you opened"))
        }
    }

    @Test func `it names the applications, what they are told, and which are told it unsigned, too`() async throws {
        try await page(Self.applications) { page in
            #expect(!page.shows(Self.nobody))
            #expect(page.shows("your name, your email address and whether you have confirmed it, your groups"))
            #expect(page.shows("Which applications you opened in each of them, and when."))
            #expect(page.shows("<li><bdi>Fir &amp; Notes</bdi></li>"))
            #expect(page.shows("<li><bdi>Wiki</bdi> (with every request; name, address and groups also unsigned)</li>"))
        }
    }

    @Test func `it names the providers, what they learn, and what is kept of them`() async throws {
        try await page(Self.provider) { page in
            #expect(!page.shows(Self.nobody) && page.shows("<li><bdi>Example &amp; Co</bdi></li>"))
            #expect(page.shows("sign in through another service") && !page.shows("If that&#39;s Apple"))
        }
    }

    @Test(arguments: ["en", "de", "ar"])
    func `it says so in every language`(language: String) async throws {
        let all = Self.applications.merging(Self.provider) { $1 }
        try await page(all, language: language) { page in
            for label in ["Fir &amp; Notes", "Wiki", "Example &amp; Co"] { #expect(page.shows("<bdi>\(label)</bdi>")) }
        }
        let settings = try House.settings([:], environment: all)
        #expect(try House.resources.untoldOnPrivacyPage(settings).isEmpty)
    }
}
