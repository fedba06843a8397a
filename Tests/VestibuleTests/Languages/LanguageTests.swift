import HTTPTypes
import Testing

@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct LanguageTests {
    @Test(arguments: [
        ("de", "de"), ("de-AT,en;q=0.5", "de"), ("en,de", "en"), ("fr,de;q=0.3", "de"), ("fr", "en"), ("", "en"),
        ("de;q=0,en", "en"), ("*", "en"), (";;;,,q=", "en"), ("ar-EG,en;q=0.8", "ar"), ("fr,ar;q=0.2", "ar"),
    ])
    func `the browser's preference decides`(header: String, language: String) async throws {
        try await withHouse { house in
            let page = try await house.visitor().get("/login", headers: ["Accept-Language": header])
            #expect(page.shows("<html lang=\"\(language)\" dir=\"\(language == "ar" ? "rtl" : "ltr")\">"))
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
            for language in ["en", "de", "ar"] {
                for path in ["/", "/login", "/signup", "/terms", "/privacy", "/nowhere"] {
                    let page = try await house.visitor().get(path, headers: ["Accept-Language": language])
                    #expect(!page.shows("{{") && !page.shows("[["), "\(path)")
                }
            }
        }
    }

    @Test(arguments: [
        ("en", 1, "Too many attempts. Try again in 1 minute."), ("en", 2, "Too many attempts. Try again in 2 minutes."),
        ("de", 1, "in 1 Minute"), ("de", 15, "in 15 Minuten"), ("ar", 1, "بعد دقيقة واحدة."), ("ar", 2, "بعد دقيقتين."),
        ("ar", 3, "بعد 3 دقائق."), ("ar", 11, "بعد 11 دقيقة."),
    ])
    func `a wait is counted as each language counts`(language: String, minutes: Int, sentence: String) async throws {
        try await withHouse([.limitLogin: "1/\(minutes)m/ip"]) { house in
            let visitor = house.visitor()
            let fields = ["email": "ada@example.com", "password": "wrong"]
            _ = try await visitor.post("/login", fields)
            let page = try await visitor.post("/login", fields, headers: ["Accept-Language": language])
            #expect(page.status == .tooManyRequests && page.shows(sentence))
        }
    }

    @Test(arguments: ["en", "de", "ar"])
    func `what is written from left to right stays so, and names go by themselves`(language: String) async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            let page = try await visitor.get("/signup", headers: ["Accept-Language": language])
            #expect(page.shows(#"name="display_name" value="" type="text" dir="auto""#))
            #expect(page.shows(#"name="email" value="" type="email" dir="ltr""#))
            try await visitor.signUp(email: "ada@example.com")
            let verify = try await visitor.get("/signup/verify", headers: ["Accept-Language": language])
            #expect(verify.shows(#"class="code" type="text" dir="ltr""#))
        }
    }
}
