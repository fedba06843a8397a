import HTTPTypes
import Testing
import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct LanguageTests {
    @Test(arguments: [
        ("de", "de"), ("de-AT,en;q=0.5", "de"), ("en,de", "en"), ("fr,de;q=0.3", "de"), ("fr", "en"), ("", "en"),
        ("de;q=0,en", "en"), ("*", "en"), (";;;,,q=", "en"),
    ])
    func `the browser's preference decides`(header: String, language: String) async throws {
        try await withHouse { house in
            let page = try await house.visitor().get("/login", headers: ["Accept-Language": header])
            #expect(page.shows("<html lang=\"\(language)\" dir=\"ltr\">"))
        }
    }

    @Test func `a picked language stays, and an unknown one is ignored`() async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            let picked = try await visitor.get("/login?lang=de")
            #expect(picked.shows("<html lang=\"de\""))
            #expect(try await visitor.get("/signup").shows("<html lang=\"de\""))
            #expect(try await visitor.get("/signup?lang=xx").shows("<html lang=\"de\""))
        }
    }

    @Test func `every template renders in every language without a loose tag`() async throws {
        try await withHouse { house in
            for language in ["en", "de"] {
                for path in ["/", "/login", "/signup", "/terms", "/privacy", "/nowhere"] {
                    let page = try await house.visitor().get(path, headers: ["Accept-Language": language])
                    #expect(!page.shows("{{") && !page.shows("[["), "\(path)")
                }
            }
        }
    }
}
