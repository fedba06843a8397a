import HTTPTypes
import Testing

@testable import Essentials
@testable import Serving
@testable import Vestibule

/// What was typed goes along from form to form, without script and never in an address.
@Suite(.timeLimit(.minutes(15)))
struct TypedTests {
    @Test(arguments: ["login", "signup", "reset"])
    func `the address goes along to the next form`(page: String) async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            let fields = [
                "to": page, "email": "ada+1@example.com", "display_name": "Ada \"Countess\"", "password": "secret",
                "return_to": "/privacy",
            ]
            let moved = try await visitor.post("/switch", fields)
            #expect(moved.status == .seeOther && moved.location == "/\(page)?return_to=/privacy")
            let carried = await visitor.cookies["vestibule-typed"] ?? ""
            #expect(!carried.isEmpty && !carried.contains("ada"))
            let form = try await visitor.get("/\(page)?return_to=/privacy")
            #expect(form.shows("value=\"ada+1@example.com\"") && !form.shows("secret"))
            #expect(form.shows("value=\"/privacy\"") && form.headers[.cacheControl] == "no-store")
            if page == "signup" { #expect(form.shows("Ada &quot;Countess&quot;")) }
            // The next language has it, too.
            #expect(try await visitor.get("/\(page)?lang=de").shows("value=\"ada+1@example.com\""))
        }
    }

    @Test(arguments: [("de", "/login?lang=de&return_to=/privacy"), ("x&return_to=//e", "/login?return_to=/privacy")])
    func `another language is the same form`(language: String, leads: String) async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            let form = ["to": "login", "email": "ada@example.com", "return_to": "/privacy"]
            let moved = try await visitor.post("/switch?lang=\(Browser.escaped(language))", form)
            #expect(moved.status == .seeOther && moved.location == leads)
            #expect(try await visitor.get(leads).shows("value=\"ada@example.com\""))
        }
    }

    @Test func `a cookie of the longest fields is one that browsers keep`() async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            let quotes = String(repeating: "\"", count: 320)
            let wish = "/" + String(repeating: "a/", count: 1000)
            let form = ["to": "signup", "email": quotes, "display_name": quotes, "return_to": wish]
            try await visitor.post("/switch", form)
            #expect(await (visitor.cookies["vestibule-typed"] ?? "").utf8.count <= 3900)
            #expect(try await visitor.get("/signup").shows("value=\"&quot;&quot;"))
            try await visitor.post("/switch", ["to": "login", "email": "a\u{1}@b.example"])
            #expect(try await !visitor.get("/login").shows("@b.example"))
        }
    }

    @Test func `nobody after a sign-out reads what was typed`() async throws {
        try await withHouse { house in
            let visitor = try await house.member("ada@example.com")
            try await visitor.post("/switch", ["to": "login", "email": "left@example.com"])
            try await visitor.post("/reset", ["email": "left@example.com"])
            try await visitor.logOut()
            #expect(await visitor.cookies["vestibule-typed"] == nil)
            #expect(await visitor.cookies["vestibule-flow"] == nil)
            #expect(try await !visitor.get("/login").shows("left@example.com"))
        }
    }

    @Test func `nobody after a deletion reads what was typed`() async throws {
        try await withHouse { house in
            let visitor = try await house.member("ada@example.com")
            try await visitor.post("/switch", ["to": "login", "email": "left@example.com"])
            try await visitor.post("/reset", ["email": "left@example.com"])
            let csrf = try await visitor.get("/account/delete").csrf ?? ""
            let form = ["csrf": csrf, "current_password": Browser.goodPassword, "confirm": "delete"]
            #expect(try await visitor.post("/account/delete", form).leads(to: "/", saying: .accountDeleted))
            #expect(await visitor.cookies["vestibule-typed"] == nil)
            #expect(await visitor.cookies["vestibule-flow"] == nil)
        }
    }

    @Test func `a name is there again after a form that does not ask for it`() async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            try await visitor.post("/switch", ["to": "login", "email": "ada@example.com", "display_name": "Ada"])
            try await visitor.post("/switch", ["to": "signup", "email": "ada@example.org"])
            let form = try await visitor.get("/signup")
            #expect(form.shows("value=\"Ada\"") && form.shows("value=\"ada@example.org\""))
        }
    }

    @Test func `it leads nowhere else, and nobody can make it up`() async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            let fields = ["to": "https://evil.example", "email": "a@b.example", "return_to": "https://evil.example/"]
            #expect(try await visitor.post("/switch", fields).location == "/login")
            await visitor.set("vestibule-typed", "bWFkZSB1cA")
            #expect(try await !visitor.get("/login").shows("a@b.example"))
            let long = String(repeating: "a", count: 5000)
            try await visitor.post("/switch", ["to": "login", "email": long])
            #expect(await (visitor.cookies["vestibule-typed"] ?? "").utf8.count <= 400)
        }
    }

    @Test func `the welcome page and a sign-in end it`() async throws {
        try await withHouse { house in
            _ = try await house.member("ada@example.com")
            let visitor = house.visitor()
            try await visitor.post("/switch", ["to": "login", "email": "ada@example.com"])
            try await visitor.get("/")
            #expect(await visitor.cookies["vestibule-typed"] == nil)
            try await visitor.post("/switch", ["to": "login", "email": "ada@example.com"])
            try await visitor.logIn(email: "ada@example.com")
            #expect(await visitor.cookies["vestibule-typed"] == nil)
        }
    }

    @Test func `an address that was mistyped is mended in the form it was typed in`() async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            try await visitor.signUp(email: "adda@example.com")
            #expect(
                try await visitor.get("/signup/verify")
                    .shows("Enter the code for \(Page.address("adda@example.com")) below."))
            // A look at the welcome page loses nothing while a code is awaited.
            try await visitor.get("/")
            let form = try await visitor.get("/signup")
            #expect(form.shows("value=\"adda@example.com\"") && form.shows("value=\"Ada Lovelace\""))
        }
    }

    @Test func `where the visitor wanted to go survives a forgotten password`() async throws {
        try await withHouse { house in
            _ = try await house.member("ada@example.com")
            let visitor = house.visitor()
            #expect(try await visitor.get("/login?return_to=/privacy").shows("data-link=\"/reset?return_to=/privacy\""))
            #expect(try await visitor.get("/reset?return_to=/privacy").shows("name=\"return_to\" value=\"/privacy\""))
            let refused = try await visitor.post("/reset", ["email": "ada@", "return_to": "/privacy"])
            #expect(refused.shows("name=\"return_to\" value=\"/privacy\""))
            try await visitor.post("/reset", ["email": "ada@example.com", "return_to": "/privacy"])
            let code = try await house.mailbox.code(for: "ada@example.com")
            try await visitor.post("/reset/verify", ["code": code])
            let password = "staple horse battery correct"
            let done = try await visitor.post(
                "/reset/verify", ["password": password, "password_confirmation": password])
            #expect(done.leads(to: "/login?return_to=/privacy", saying: .passwordChanged))
            try await visitor.post("/reset", ["email": "ada@example.com", "return_to": "https://evil.example/"])
            #expect(try await !visitor.get("/reset/verify").shows("evil"))
        }
    }

    @Test func `the way back to the start keeps where the visitor wanted to go`() async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            #expect(try await visitor.get("/login?return_to=/privacy").shows("href=\"/?return_to=/privacy\""))
            let welcome = try await visitor.get("/?return_to=/privacy")
            #expect(welcome.shows("href=\"/login?return_to=/privacy\""))
            #expect(welcome.shows("href=\"/signup?return_to=/privacy\""))
            #expect(try await !visitor.get("/?return_to=https%3A%2F%2Fevil.example").shows("evil"))
            let member = try await house.member("ada@example.com")
            #expect(try await member.get("/?return_to=/privacy").location == "/privacy")
            #expect(try await member.get("/signup?return_to=/privacy").location == "/privacy")
        }
    }
}
