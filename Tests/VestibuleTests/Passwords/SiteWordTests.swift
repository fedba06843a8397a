import HTTPTypes
import Testing

@testable import Essentials
@testable import Vestibule

/// No password is built on what a guesser knows of the site.
@Suite(.timeLimit(.minutes(15)))
struct SiteWordTests {
    private static let environment = [
        "VESTIBULE_OWNER": "Zylophant Works Ltd", "VESTIBULE_MAIL_FROM": "Door <quibbler@marzipool.example>",
        "VESTIBULE_APP_NOTES_ORIGINS": "https://grumbletext.example",
        "VESTIBULE_APP_NOTES_LABEL": "Snorkelpad",
    ]

    @Test(arguments: [
        "zylophant works ltd", "Zylophant1", "quibbler@marzipool.example", "grumbletext.example", "snorkelpad",
    ])
    func `owner, sender and applications are refused, on pages, in the meter and for apps`(
        password: String
    ) async throws {
        try await withHouse(environment: Self.environment) { house in
            let visitor = house.visitor()
            #expect(
                try await visitor.signUp(email: "ada@example.com", password: password).status == .unprocessableContent)
            let meter = try await visitor.post(
                "/signup/strength", Browser.signupFields(email: "ada@example.com", password: password))
            #expect(meter.shows("\"acceptable\":false"))
            #expect(try await house.app().signUp("ada@example.com", password: password).code == "validation_failed")
            let member = try await house.member("bob@example.com")
            let fields = [
                "csrf": try await member.get("/account/password").csrf ?? "", "current_password": Browser.goodPassword,
                "password": password, "password_confirmation": password,
            ]
            #expect(try await member.post("/account/password", fields).status == .unprocessableContent)
        }
    }

    @Test(arguments: [
        ("en", "words connected with this site"), ("de", "Wörter, die zu dieser Website gehören"),
        ("ar", "كلمات مرتبطة بهذا الموقع"),
    ])
    func `the sentence is true of any word of the site, in each language`(language: String, words: String) async throws
    {
        try await withHouse(environment: Self.environment) { house in
            let fields = Browser.signupFields(email: "ada@example.com", password: "snorkelpad")
            let refused = try await house.visitor().post("/signup", fields, headers: ["Accept-Language": language])
            #expect(refused.shows(words), "\(refused.body)")
        }
    }

    @Test func `the public host is refused, and words of it in a long password are not`() async throws {
        try await withHouse([.publicURL: "http://frobnicator.localhost:8080"]) { house in
            let visitor = house.visitor()
            let refused = try await visitor.signUp(email: "ada@example.com", password: "frobnicator.localhost")
            #expect(refused.status == .unprocessableContent)
            let long = try await visitor.signUp(email: "ada@example.com", password: "frobnicator kX9#mQ2v staple")
            #expect(long.location == "/signup/verify")
        }
    }
}
