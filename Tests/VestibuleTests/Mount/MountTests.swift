import Foundation
import HTTPTypes
import Logging
import TestSupport
import Testing

@testable import Essentials
@testable import Mailing
@testable import Serving
@testable import Vestibule

/// The site under a path of its origin. `/door` is asked for by visitors, who begin at a path
/// without it in these tests.
@Suite("Mount", .timeLimit(.minutes(15)))
struct MountTests {
    private static let mounted: [Setting: String] = [.publicURL: "http://localhost:8080/door"]

    @Test func `signing up leads from page to page under the path`() async throws {
        try await withHouse(Self.mounted) { house in
            let visitor = house.visitor()
            #expect(try await visitor.get("/").shows("href=\"/door/login\""))
            #expect(try await visitor.signUp(email: "ada@example.com").location == "/door/signup/verify")
            let code = try await house.mailbox.code(for: "ada@example.com")
            #expect(try await visitor.type(code: code).location == "/door/account")
            #expect(try await visitor.get("/door/account").notice?.isEmpty == false)
            #expect(try await visitor.logOut().leads(to: "/door/", saying: .signedOut))
            #expect(try await visitor.get("/door/").notice == "You&#39;re signed out.")
        }
    }

    @Test(arguments: [
        (nil, "/door/account"), ("/app?x=1&y=%2F", "/app?x=1&y=%2F"), ("/", "/"), ("/login", "/login"),
        ("/door/account/devices?a=b", "/door/account/devices?a=b"), ("/door/auth/x", "/door/auth/x"),
        ("/door/door/x", "/door/door/x"), ("/doorway", "/doorway"), ("//door/x", "/door/account"),
        ("https://evil.example/door/", "/door/account"), ("/\\door", "/door/account"),
        ("http://localhost:8080//evil.example/", "http://localhost:8080//evil.example/"),
    ])
    func `where a visitor wanted to go is a path of the whole origin`(wish: String?, location: String) async throws {
        try await withHouse(Self.mounted.merging([.verification: "off"]) { $1 }) { house in
            let visitor = house.visitor()
            try await visitor.signUp(email: "ada@example.com")
            let again = house.visitor()
            #expect(try await again.logIn(email: "ada@example.com", returnTo: wish).location == location)
            let query = wish.map { "?return_to=\(Browser.escaped($0))" } ?? ""
            #expect(try await again.get("/login\(query)").location == location)
        }
    }

    @Test func `a page that needs a login is found again after it`() async throws {
        try await withHouse(Self.mounted.merging([.verification: "off", .termsVersion: "2"]) { $1 }) { house in
            try await house.visitor().signUp(email: "ada@example.com")
            let visitor = house.visitor()
            let login = try await visitor.get("/account/password").location
            #expect(login == "/door/login?return_to=/door/account/password")
            let page = try await visitor.get(try #require(login))
            #expect(page.shows("name=\"return_to\" value=\"/door/account/password\""))
            let done = try await visitor.logIn(email: "ada@example.com", returnTo: "/door/account/password")
            #expect(done.location == "/door/account/password")
            let form = try await house.visitor().post("/account/profile", ["display_name": "Ada"])
            #expect(form.leads(to: "/door/login?return_to=/door/account", saying: .signInFirst))
        }
    }

    @Test func `a redirect for the script names the page, too`() async throws {
        try await withHouse(Self.mounted.merging([.verification: "off"]) { $1 }) { house in
            let fields = Browser.signupFields(email: "ada@example.com")
            let answer = try await house.visitor().post("/signup", fields, headers: ["Vestibule-Fetch": "1"])
            #expect(answer.status == .ok && answer.headers[.vestibuleLocation] == "/door/account")
        }
    }

    @Test func `a forgotten password is replaced, and mails link to pages under the path`() async throws {
        try await withHouse(Self.mounted) { house in
            _ = try await house.member("ada@example.com")
            let visitor = house.visitor()
            #expect(try await visitor.post("/reset", ["email": "ada@example.com"]).location == "/door/reset/verify")
            let code = try await house.mailbox.code(for: "ada@example.com")
            let password = "staple horse battery correct"
            let fields = ["code": code, "password": password, "password_confirmation": password]
            #expect(try await visitor.post("/reset/verify", fields).leads(to: "/door/login", saying: .passwordChanged))
            let mail = try await house.mailbox.next(to: "ada@example.com", subject: "Your password was changed")
            #expect(mail.text.contains("http://localhost:8080/door/reset\n"))
            #expect(mail.html.contains("href=\"http://localhost:8080/door/reset\""))
        }
    }

    @Test func `the language is changed where one is`() async throws {
        try await withHouse(Self.mounted) { house in
            let visitor = house.visitor()
            let fields = ["to": "login", "email": "ada@example.com", "return_to": "/app"]
            let page = try await visitor.post("/switch?lang=de", fields)
            #expect(page.location == "/door/login?lang=de&return_to=/app")
            #expect(try await visitor.get("/door/login?lang=de&return_to=/app").shows("action=\"/door/login\""))
        }
    }

    @Test func `the API and its description are under the path`() async throws {
        try await withHouse(Self.mounted) { house in
            let problem = try await house.ask("/door/api/auth/session")
            #expect(problem.status == .unauthorized)
            #expect(problem.shows("http://localhost:8080/door/api/auth/openapi.json#session_expired"))
            // Relative to the description, so of the same mount (OpenAPI 3.1 section 4.8.5).
            #expect(try await house.ask("/door/api/auth/openapi.json").shows("\"servers\": [{\"url\": \"../..\"}]"))
        }
    }

    @Test(arguments: ["/healthz", "/.well-known/a", "/authz", "/.vestibule/x", "/readyz"])
    func `a path that programs ask for is none for the site`(path: String) {
        #expect {
            try House.settings([.publicURL: "http://localhost:8080\(path)"])
        } throws: { error in
            (error as? SettingFaults)?.all.map { $0.description.contains("and programs ask for /") } == [true]
        }
    }

    @Test func `a path that no program asks for is free for the site`() throws {
        let settings = try House.settings([.publicURL: "http://localhost:8080/metrics"])
        #expect(settings.publicURL.path == "/metrics")
    }
}
