import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// Where a sign-in through a provider leads when it fails, and what it takes along.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct ProviderReturnTests {
    private static let sentence = "We couldn&#39;t complete that sign-in. Please try again."

    private func age(_ page: Page) -> String? {
        let line = page.headers[values: .setCookie].first { $0.hasPrefix("vestibule=") } ?? ""
        return line.firstMatch(of: /Max-Age=(\d+)/).map { String($0.output.1) }
    }

    private func answer(_ asked: Browser.Asked, _ person: ProviderStandIn.Person = .init()) throws -> String {
        var person = person
        person.nonce = asked.nonce
        person.challenge = asked.fields["code_challenge"]
        return "/auth/example/callback?state=\(asked.state)&code=\(try ProviderStandIn.code(person))"
    }

    @Test(
        arguments: [
            ("/signup", "/signup"), ("/login?lang=de", "/login"), ("/", "/"), ("/terms", "/login"), (nil, "/login"),
        ] as [(String?, String)])
    func `a failure is told in an error box on the page one came from`(from: String?, to page: String) async throws {
        try await withProviders { house, _ in
            let visitor = house.visitor()
            let asked = try await visitor.startSignIn("/auth/example?return_to=/privacy", from: from)
            let failed = try await visitor.get("/auth/example/callback?state=\(asked.state)&error=server_error")
            #expect(failed.leads(to: "\(page)?return_to=/privacy", saying: .providerFailed))
            let told = try await visitor.get(failed.location ?? "")
            #expect(told.title?.hasPrefix("Error: ") == true && told.shows("role=\"alert\""))
            #expect(told.shows(Self.sentence) && told.shows("/auth/example?return_to=/privacy"))
        }
    }

    @Test func `somebody signed in is told on the account page`() async throws {
        try await withProviders { house, _ in
            let member = try await house.member("ada@example.com")
            let failed = try await member.get("/auth/example/callback?state=x&error=server_error")
            #expect(failed.leads(to: "/account/security", saying: .providerFailed))
            let told = try await member.get("/account/security")
            #expect(told.title?.hasPrefix("Error: ") == true && told.shows(Self.sentence))
        }
    }

    @Test func `changing one's mind keeps where one wanted to go`() async throws {
        try await withProviders { house, _ in
            let visitor = house.visitor()
            let asked = try await visitor.startSignIn("/auth/example?return_to=/privacy", from: "/login")
            let page = try await visitor.get("/auth/example/callback?state=\(asked.state)&error=access_denied")
            #expect(page.location == "/?return_to=/privacy")
            #expect(try await visitor.get("/?return_to=/privacy").shows("/auth/example?return_to=/privacy"))
        }
    }

    @Test func `somebody signed in keeps it, too, whether they change their mind or the provider fails`() async throws {
        try await withProviders { house, _ in
            let member = try await house.member("ada@example.com")
            func answer(_ error: String, wish: String = "?return_to=/account/activity") async throws -> Page {
                let asked = try await member.startSignIn("/auth/example\(wish)")
                return try await member.get("/auth/example/callback?state=\(asked.state)&error=\(error)")
            }
            let cancelled = try await answer("access_denied")
            #expect(try await member.get(cancelled.location ?? "").location == "/account/activity")
            let failed = try await answer("server_error")
            #expect(failed.leads(to: "/auth/example?return_to=/account/activity", saying: .providerFailed))
            let told = try await member.get(failed.location ?? "")
            #expect(told.title?.hasPrefix("Error: ") == true && told.shows(Self.sentence))
            #expect(told.agreement?.contains("return_to=/account/activity") == true)
            let plain = try await answer("server_error", wish: "")
            #expect(plain.leads(to: "/account/security", saying: .providerFailed))
        }
    }

    @Test(arguments: [("&remember=on", "2592000"), ("&remember=off", nil), ("", "2592000")] as [(String, String?)])
    func `whether to stay signed in goes along, for new and for known people`(query: String, age: String?)
        async throws
    {
        try await withProviders { house, _ in
            let new = house.visitor()
            let asked = try await new.startSignIn("/auth/example?return_to=/privacy\(query)", from: "/signup")
            #expect(try await new.get(answer(asked)).location == "/auth/continue")
            let ticked = #"name="remember" type="checkbox" value="on"  checked"#
            #expect(try await new.get("/auth/continue").shows(ticked) == (age != nil))
            var fields = ["display_name": "Ada", "terms": "accepted"]
            if age != nil { fields["remember"] = "on" }
            let done = try await new.post("/auth/continue", fields)
            #expect(done.location == "/privacy" && self.age(done) == age)

            let known = house.visitor()
            let again = try await known.startSignIn("/auth/example?return_to=/privacy\(query)", from: "/login")
            let back = try await known.get(answer(again))
            #expect(back.location == "/privacy" && self.age(back) == age)
        }
    }

    @Test func `somebody signed in to another account signs out first, and goes on from there`() async throws {
        try await withProviders { house, _ in
            _ = try await house.member("ada@example.com")
            let visitor = try await house.member("eve@example.com")
            let asked = try await visitor.startSignIn("/auth/example?return_to=/privacy", from: "/login")
            #expect(try await visitor.get(answer(asked)).location == "/auth/continue")
            let page = try await visitor.get("/auth/continue")
            #expect(page.shows("signed in as eve@example.com, but ada@example.com has an account of its own."))
            #expect(!page.shows("return_to=/auth/continue"))
            let fields = ["csrf": page.csrf ?? "", "return_to": "/auth/continue"]
            let login = "/login?return_to=/auth/continue"
            #expect(try await visitor.post("/logout", fields).leads(to: login, saying: .signedOut))
            #expect(try await visitor.get(login).shows("value=\"ada@example.com\""))
            try await visitor.logIn(email: "ada@example.com", returnTo: "/auth/continue")
            let csrf = try await visitor.get("/auth/continue").csrf ?? ""
            #expect(try await visitor.post("/auth/continue/connect", ["csrf": csrf]).location == "/privacy")
        }
    }

    @Test func `a change of the language loses nothing that was typed beside the provider's word`() async throws {
        try await withProviders { house, _ in
            let visitor = house.visitor()
            try await visitor.comeFromExample()
            let page = try await visitor.get("/auth/continue")
            #expect(page.shows("<form id=\"auth/continue\""))
            #expect(page.shows("form=\"auth/continue\" formaction=\"/switch"))
            let fields = ["to": "auth/continue", "display_name": "Grace", "terms": "accepted"]
            let switched = try await visitor.post("/switch?lang=de", fields)
            #expect(switched.location == "/auth/continue?lang=de")
            let again = try await visitor.get("/auth/continue?lang=de")
            #expect(again.shows("lang=\"de\"") && again.shows("value=\"Grace\""))
            #expect(again.body.contains(/name="terms"[^>]* checked/))
            #expect(!again.body.contains(/name="remember"[^>]* checked/))
            #expect(try await visitor.acceptAndContinue(name: "Grace").location == "/account")
        }
    }

    @Test func `an ordinary sign-out leaves nothing of what a provider has vouched for`() async throws {
        try await withProviders { house, _ in
            let visitor = try await house.member("eve@example.com")
            try await visitor.comeFromExample()
            let csrf = try await visitor.get("/account").csrf ?? ""
            #expect(await visitor.cookies["vestibule-auth-pending"] != nil)
            #expect(try await visitor.post("/logout", ["csrf": csrf]).location == "/")
            #expect(await visitor.cookies["vestibule-auth-pending"] == nil)
        }
    }

    @Test func `a sign-up takes the place of no session whose owner was not asked`() async throws {
        try await withProviders { house, _ in
            let visitor = house.visitor()
            let asked = try await visitor.startSignIn("/auth/example")
            // In another tab.
            try await visitor.signUp(email: "eve@example.com")
            _ = try await visitor.type(code: house.mailbox.code(for: "eve@example.com"))
            #expect(try await visitor.get(answer(asked)).location == "/auth/continue")
            #expect(try await visitor.acceptAndContinue().location == "/auth/continue")
            let refused = try await visitor.get("/auth/continue")
            #expect(refused.leads(to: "/account", saying: .signedInAlready))
            #expect(try await visitor.get("/account").shows("eve@example.com"))
            #expect(try await house.events(of: "ada@example.com").isEmpty)
            // Who has agreed on the page that asks gives the session up.
            try await visitor.comeFromExample()
            #expect(try await visitor.acceptAndContinue().location == "/account")
            #expect(try await visitor.get("/account").shows("ada@example.com"))
        }
    }

    @Test func `a taken address is filled in at the login that connects it, and the wish is kept`() async throws {
        try await withProviders { house, _ in
            _ = try await house.member("ada@example.com")
            let visitor = house.visitor()
            let asked = try await visitor.startSignIn("/auth/example?return_to=/privacy", from: "/login")
            #expect(try await visitor.get(answer(asked)).location == "/auth/continue")
            #expect(try await visitor.get("/auth/continue").shows("href=\"/login?return_to=/auth/continue\""))
            #expect(try await visitor.get("/login?return_to=/auth/continue").shows("value=\"ada@example.com\""))
            let login = try await visitor.logIn(email: "ada@example.com", returnTo: "/auth/continue")
            #expect(login.location == "/auth/continue")
            let csrf = try await visitor.get("/auth/continue").csrf ?? ""
            #expect(try await visitor.post("/auth/continue/connect", ["csrf": csrf]).location == "/privacy")
        }
    }
}
