import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Serving
@testable import Vestibule

/// Who may enter, what is asked before, and what survives on the way.
@Suite(.timeLimit(.minutes(15)))
struct ConsentTests {
    @Test func `the first entry asks once, says what is seen, and is remembered until it is ended`() async throws {
        try await withParty { party, ada, house in
            let page = try await ada.get(party.path())
            #expect(page.heading == "Continue to Notes?" && page.headers[.cacheControl] == "no-store")
            #expect(page.shows("Your name and language") && page.shows("Ada Lovelace") && page.shows("ada@example.com"))
            #expect(!page.shows("Your groups") && !page.shows("while you&#39;re away"))
            #expect(page.shows("Using another account signs you out of this site"))
            #expect(try Answer(try await ada.decide(on: page))["code"] != nil)
            #expect(try Answer(try await ada.get(party.path()))["code"] != nil)
            // Less than was allowed is not asked for, more is.
            #expect(try Answer(try await ada.get(party.path(["scope": "openid"])))["code"] != nil)
            #expect(try await ada.get(party.path(["scope": "openid groups"])).shows("Your groups"))
            let data = try await ada.get("/account/data")
            #expect(data.shows("Applications that use your account") && data.shows("<bdi>Notes</bdi>"))
            let ended = try await ada.post("/account/applications/notes/end", ["csrf": data.csrf ?? ""])
            #expect(ended.leads(to: "/account/data", saying: .consentEnded))
            #expect(try await ada.get(party.path()).heading == "Continue to Notes?")
            #expect(try await !ada.get("/account/data").shows("Applications that use your account"))
            let kinds = try await house.events(of: "ada@example.com").prefix(2).map(\.kind)
            #expect(kinds == [.consentEnded, .consentGiven])
        }
    }

    @Test func `prompt consent and select account always ask, and a no is told`() async throws {
        try await withParty { party, ada, _ in
            _ = try await party.signIn(ada)
            for prompt in ["consent", "select_account"] {
                let page = try await ada.get(party.path(["prompt": prompt]))
                let answer = try Answer(try await ada.decide("deny", on: page))
                #expect(answer["error"] == "access_denied" && answer["state"] == "s-1" && answer["code"] == nil)
            }
        }
    }

    @Test func `where the application forces the question, nothing says that it is asked once`() async throws {
        try await withParty(environment: ["VESTIBULE_APP_NOTES_TRUSTED": "on"]) { party, ada, _ in
            for prompt in ["consent", "select_account"] {
                let page = try await ada.get(party.path(["prompt": prompt]))
                #expect(page.shows("You&#39;re asked because") && !page.shows("asked once"), "\(prompt)")
                try await ada.decide(on: page)
            }
            let data = try await ada.get("/account/data")
            #expect(data.shows("<bdi>Notes</bdi>") && data.shows("unless the people who run this site"))
            try await ada.post("/account/applications/notes/end", ["csrf": data.csrf ?? ""])
            let ended = try await ada.get("/account/data")
            #expect(ended.shows("unless the people who run this site") && !ended.shows("It asks again"))
        }
    }

    @Test func `your data names a trusted application that never asked, which nobody can end there`() async throws {
        try await withParty(environment: ["VESTIBULE_APP_NOTES_TRUSTED": "on"]) { party, ada, house in
            #expect(try await !ada.get("/account/data").shows("Applications that use your account"))
            _ = try await party.signIn(ada)
            let data = try await ada.get("/account/data")
            #expect(data.shows("<bdi>Notes</bdi>") && data.shows("Let in by the people who run this site"))
            #expect(!data.shows("/account/applications/notes/end"))
            let other = house.visitor(at: "192.0.2.44")
            try await other.logIn(email: "ada@example.com")
            try await ada.logOut()
            #expect(try await !other.get("/account/data").shows("<bdi>Notes</bdi>"))
        }
    }

    @Test func `two sets of scopes are asked for once each`() async throws {
        try await withParty { party, ada, _ in
            for scope in ["openid profile", "openid email"] {
                let page = try await ada.get(party.path(["scope": scope]))
                #expect(try Answer(try await ada.decide(on: page))["code"] != nil)
            }
            for scope in ["openid profile", "openid email", "openid profile email"] {
                let answer = try Answer(try await ada.get(party.path(["scope": scope])))
                #expect(answer["code"] != nil, "\(scope)")
            }
            // Taken back is all of it.
            let csrf = ["csrf": try await ada.get("/account").csrf ?? ""]
            try await ada.post("/account/applications/notes/end", csrf)
            try await ada.decide(on: try await ada.get(party.path(["scope": "openid email"])))
            #expect(try await ada.get(party.path(["scope": "openid profile"])).heading == "Continue to Notes?")
        }
    }

    @Test(arguments: [("/logout", "login_required"), ("/account/applications/notes/end", "consent_required")])
    func `with prompt none no page is shown even when session or consent ends at that moment`(
        path: String, error: String
    ) async throws {
        try await withParty { party, ada, _ in
            for _ in 1...10 {
                try await ada.logIn(email: "ada@example.com")
                _ = try await party.signIn(ada)
                let csrf = ["csrf": try await ada.get("/account").csrf ?? ""]
                let pages = try await withThrowingTaskGroup(of: Page.self) { group in
                    for number in 0..<50 {
                        group.addTask {
                            guard number != 25 else { return try await ada.post(path, csrf) }
                            return try await ada.get(party.path(["prompt": "none"]))
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                let answers = try pages.map(Answer.init).filter { $0["state"] != nil }
                #expect(answers.count == 49)
                #expect(answers.allSatisfy { $0["code"] != nil || $0["error"] == error })
            }
        }
    }

    @Test func `consent that is taken back at that moment is asked for`() async throws {
        try await withParty { party, ada, _ in
            for _ in 1...10 {
                _ = try await party.signIn(ada)
                let csrf = ["csrf": try await ada.get("/account").csrf ?? ""]
                let pages = try await withThrowingTaskGroup(of: Page?.self) { group in
                    for number in 0..<50 {
                        group.addTask {
                            guard number == 25 else { return try await ada.get(party.path()) }
                            try await ada.post("/account/applications/notes/end", csrf)
                            return nil
                        }
                    }
                    return try await group.reduce(into: []) { $0 += [$1].compactMap { $0 } }
                }
                let asked = pages.filter { $0.location == nil }
                #expect(asked.allSatisfy { $0.heading == "Continue to Notes?" })
                let answers = try pages.filter { $0.location != nil }.map(Answer.init)
                #expect(answers.allSatisfy { $0["code"] != nil })
            }
        }
    }

    @Test(arguments: ["off", "on"])
    func `a program that has only its address to show asks each time, trusted or not`(trusted: String) async throws {
        let web = "https://phone.example/in"
        let settings = [
            "VESTIBULE_APP_PHONE_REDIRECTS": "com.example.phone:/in,http://127.0.0.1/in,\(web)",
            "VESTIBULE_APP_PHONE_TRUSTED": trusted,
        ]
        try await withParty(environment: settings, id: "phone") { party, ada, _ in
            func ask(_ redirect: String, prompt: String? = nil) async throws -> Page {
                let own = ["redirect_uri": redirect, "prompt": prompt]
                return try await ada.get(party.path(RelyingParty.pkce.merging(own) { $1 }))
            }
            for redirect in ["com.example.phone:/in", "http://127.0.0.1:4711/in"] {
                for _ in 1...2 {
                    let page = try await ask(redirect)
                    #expect(page.heading == "Continue to Phone?" && page.shows("another program on this device"))
                    #expect(try Answer(try await ada.decide(on: page))["code"] != nil)
                }
                #expect(try Answer(try await ask(redirect, prompt: "none"))["error"] == "consent_required")
            }
            #expect(try Answer(try await ask(web))["code"] != nil)
        }
    }

    @Test func `where a server has the secret, the scheme of its app asks each time`() async throws {
        let settings = [
            "VESTIBULE_APP_PHOTOS_REDIRECTS": "https://photos.example/in,com.example.photos:/in,http://127.0.0.1/in",
            "VESTIBULE_APP_PHOTOS_TRUSTED": "on",
        ]
        try await withParty(environment: settings, id: "photos") { party, ada, _ in
            func ask(_ redirect: String) async throws -> Page {
                try await ada.get(party.path(RelyingParty.pkce.merging(["redirect_uri": redirect]) { $1 }))
            }
            for _ in 1...2 {
                let page = try await ask("com.example.photos:/in")
                #expect(page.heading == "Continue to Photos?")
                #expect(try Answer(try await ada.decide(on: page))["code"] != nil)
            }
            for redirect in ["https://photos.example/in", "http://127.0.0.1:4711/in"] {
                #expect(try Answer(try await ask(redirect))["code"] != nil)
            }
        }
    }

    @Test func `a consent of another site, without token or with another session's is none`() async throws {
        try await withParty { party, ada, house in
            let page = try await ada.get(party.path())
            let forged = try await ada.decide(
                on: page, headers: ["Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"])
            #expect(forged.status == .forbidden)
            let resume = try page.hidden("resume")
            let bare = try await ada.post("/oauth/authorize", ["resume": resume, "answer": "allow"])
            #expect(bare.status == .forbidden)
            let bob = try await house.member("bob@example.com")
            let other = try await bob.decide(on: page)
            #expect(other.status == .ok && other.heading == "Continue to Notes?" && other.shows("bob@example.com"))
            let stranger = try await house.visitor().decide(on: page)
            #expect(stranger.location?.hasPrefix("/login?return_to=") == true)
            let account = try await house.account("ada@example.com").id
            #expect(try await house.services.store.applicationConsents(accountID: account).isEmpty)
            let changed = try await ada.post(
                "/oauth/authorize", ["csrf": page.csrf ?? "", "resume": resume + "A", "answer": "allow"])
            #expect(changed.status == .badRequest && changed.location == nil)
        }
    }

    @Test func `somebody in none of its groups is told so, and never asked where the application is trusted`()
        async throws
    {
        try await withParty(id: "wiki") { party, ada, house in
            let pkce = RelyingParty.pkce
            let page = try await ada.get(party.path(pkce))
            #expect(page.status == .forbidden && page.heading == "You can&#39;t open Wiki")
            let silent = try await party.answer(to: ada, pkce.merging(["prompt": "none"]) { $1 })
            #expect(silent["error"] == "access_denied")
            // Asked by the application itself, as often as it likes.
            #expect(try await house.events(of: "ada@example.com").filter { $0.kind == .entryRefused }.count == 1)
            let lines = house.logs.lines(of: "entry_refused")
            #expect(lines.count == 1 && lines.first?.contains("application=wiki") == true, "\(lines)")
            try await house.change(groups: "ada@example.com", adding: ["staff"])
            let answer = try Answer(try await ada.get(party.path(pkce)))
            #expect(answer.to == "https://wiki.example/in" && answer["code"] != nil)
            let asked = try await ada.get(party.path(pkce.merging(["prompt": "consent"]) { $1 }))
            #expect(asked.heading == "Continue to Wiki?")
        }
    }

    @Test func `somebody in none of its groups may go on with another account`() async throws {
        try await withParty(id: "wiki") { party, ada, house in
            _ = try await house.member("bob@example.com")
            try await house.change(groups: "bob@example.com", adding: ["staff"])
            let page = try await ada.get(party.path(RelyingParty.pkce))
            let resume = try page.hidden("resume")
            let other = try #require(page.body.firstMatch(of: /href="(\?lang=de&amp;resume=[^"]+)"/)).output.1
            let german = try await ada.get("/oauth/authorize\(other.replacing("&amp;", with: "&"))")
            #expect(german.status == .forbidden && german.shows("Sie können Wiki nicht öffnen"))
            var form = ["csrf": page.csrf ?? "", "resume": resume, "answer": "allow"]
            #expect(try await ada.post("/oauth/authorize", form).status == .forbidden)
            form["answer"] = "again"
            let login = try #require(try await ada.post("/oauth/authorize", form).location)
            #expect(login.hasPrefix("/login?return_to=/oauth/authorize"))
            #expect(try await ada.get("/account").location?.hasPrefix("/login") == true)
            let back = try await ada.get(login).hidden("return_to")
            let entered = try await ada.logIn(email: "bob@example.com", returnTo: back)
            let answer = try Answer(try await ada.get(try #require(entered.location)))
            #expect(answer.to == "https://wiki.example/in" && answer["code"] != nil)
        }
    }

    /// Opens the page that a request of a stranger leads to.
    private func wish(_ party: RelyingParty, _ visitor: Browser, on page: String = "/login") async throws -> String {
        let login = try #require(try await visitor.get(party.path()).location)
        #expect(login.hasPrefix("/login?return_to=/oauth/authorize%3Fresume%3D"))
        let shown = try await visitor.get(login.replacingOccurrences(of: "/login", with: page))
        #expect(shown.shows("<bdi>Notes</bdi>"))
        return try shown.hidden("return_to")
    }

    private func arrives(_ page: Page, _ visitor: Browser) async throws {
        let asked = try await visitor.get(try #require(page.location))
        #expect(asked.heading == "Continue to Notes?")
        let answer = try Answer(try await visitor.decide(on: asked))
        #expect(answer["code"] != nil && answer["state"] == "s-1")
    }

    @Test func `a request survives sign-in, and a refused one`() async throws {
        try await withParty { party, _, house in
            let visitor = house.visitor(at: "203.0.113.5")
            let wish = try await wish(party, visitor)
            let refused = try await visitor.logIn(email: "ada@example.com", password: "wrong words", returnTo: wish)
            #expect(try refused.hidden("return_to") == wish)
            try await arrives(try await visitor.logIn(email: "ada@example.com", returnTo: wish), visitor)
        }
    }

    @Test func `a request survives sign-up with its code, and a change of language`() async throws {
        try await withParty { party, _, house in
            let visitor = house.visitor(at: "203.0.113.5")
            let wish = try await wish(party, visitor, on: "/signup")
            _ = try await visitor.get("/signup?lang=de&return_to=\(Browser.escaped(wish))")
            _ = try await visitor.get("/signup?lang=en&return_to=\(Browser.escaped(wish))")
            var fields = Browser.signupFields(email: "new@example.com")
            fields["return_to"] = wish
            #expect(try await visitor.post("/signup", fields).location == "/signup/verify")
            try await arrives(
                try await visitor.type(code: try await house.mailbox.code(for: "new@example.com")), visitor)
            // The question itself, in another language.
            let asked = try await visitor.get(party.path(["prompt": "consent"]))
            let link = try #require(asked.body.firstMatch(of: /href="(\?lang=de&amp;resume=[^"]+)"/)?.output.1)
            let german = try await visitor.get("/oauth/authorize" + link.replacing("&amp;", with: "&"))
            #expect(german.heading == "Weiter zu Notes?")
            #expect(try Answer(try await visitor.decide(on: german))["code"] != nil)
        }
    }

    @Test func `a request survives a reset`() async throws {
        try await withParty { party, _, house in
            let visitor = house.visitor(at: "203.0.113.5")
            let wish = try await wish(party, visitor, on: "/reset")
            try await visitor.post("/reset", ["email": "ada@example.com", "return_to": wish])
            let code = try await house.mailbox.code(for: "ada@example.com")
            let reset = try await visitor.post(
                "/reset/verify",
                ["code": code, "password": "gravel lantern orbit", "password_confirmation": "gravel lantern orbit"])
            let login = try #require(reset.location)
            let form = try await visitor.get(login)
            try await arrives(
                try await visitor.logIn(
                    email: "ada@example.com", password: "gravel lantern orbit", returnTo: try form.hidden("return_to")),
                visitor)
        }
    }

    @Test func `a request survives the second step, which its ID token tells of`() async throws {
        try await withParty { party, ada, house in
            let app = try await ada.addApp(at: house.clock.now)
            house.clock.advance(by: .seconds(60))
            let visitor = house.visitor(at: "203.0.113.5")
            let wish = try await wish(party, visitor)
            let second = try await visitor.logIn(email: "ada@example.com", returnTo: wish)
            #expect(second.location == "/login/second")
            let proved = try await visitor.post("/login/second", ["code": app.code(at: house.clock.now)])
            let asked = try await visitor.get(try #require(proved.location))
            let answer = try Answer(try await visitor.decide(on: asked))
            let reply = try await party.redeem(answer["code"] ?? "")
            let token = try await ReadIDToken(reply["id_token"] ?? "", house)
            #expect(token.list("amr") == ["pwd", "otp", "mfa"] && token.text("acr") == "2")
        }
    }

    @Test func `the file of the account says which applications a session has entered`() async throws {
        try await withParty(environment: ["VESTIBULE_APP_NOTES_TRUSTED": "on"]) { party, ada, house in
            _ = try await party.signIn(ada)
            let file = try await ada.submit("/account/export")
            let json = try #require(JSONSerialization.jsonObject(with: Data(file.body.utf8)) as? [String: Any])
            let sessions = try #require(json["sessions"] as? [[String: Any]])
            let entered = try #require(sessions.first?["applications"] as? [[String: String]])
            #expect(entered == [["name": "notes", "entered_at": house.clock.now.ISO8601Format()]])
        }
    }

    @Test func `raised terms come first`() async throws {
        let store = try await sharedStore()
        try await withHouse(store: store) { house in _ = try await house.member("ada@example.com") }
        try await withHouse([.termsVersion: "2"], store: store, environment: RelyingParty.environment) { house in
            let (party, visitor) = (try await house.party(), house.visitor())
            try await visitor.logIn(email: "ada@example.com")
            let silent = try await party.answer(to: visitor, ["prompt": "none"])
            #expect(silent["error"] == "interaction_required")
            let terms = try #require(try await visitor.get(party.path()).location)
            #expect(terms.hasPrefix("/account/terms?return_to=/oauth/authorize%3Fresume%3D"))
            let page = try await visitor.get(terms)
            try await arrives(
                try await visitor.post(
                    "/account/terms",
                    ["csrf": page.csrf ?? "", "terms": "accepted", "return_to": try page.hidden("return_to")]), visitor)
        }
    }

    @Test func `a link that led back from a sign-in asks for a new one when it is used later`() async throws {
        try await withParty { party, ada, house in
            _ = try await party.signIn(ada)
            let login = try #require(
                try await ada.decide("prove", on: try await ada.get(party.path(["prompt": "login"]))).location)
            let wish = try await ada.get(login).hidden("return_to")
            let back = try #require(try await ada.logIn(email: "ada@example.com", returnTo: wish).location)
            house.clock.advance(by: .seconds(599))
            #expect(try Answer(try await ada.get(back))["code"] != nil)
            house.clock.advance(by: .seconds(1))
            #expect(try await ada.get(back).heading == "Sign in to Notes again")
        }
    }

    @Test func `a link to an address that the settings no longer have gives no code`() async throws {
        let (store, environment) = (try await sharedStore(), RelyingParty.environment)
        let old = ["VESTIBULE_APP_NOTES_REDIRECTS": "https://old.example/in"]
        try await withHouse(store: store, environment: environment.merging(old) { $1 }) { house in
            _ = try await house.member("ada@example.com")
            let path = try await house.party().path(["redirect_uri": "https://old.example/in"])
            let visitor = house.visitor()
            let wish = try await visitor.get(try #require(try await visitor.get(path).location)).hidden("return_to")
            try await withHouse(store: store, environment: environment) { house in
                let ada = house.visitor()
                #expect(try await ada.logIn(email: "ada@example.com", returnTo: wish).location == wish)
                let page = try await ada.get(wish)
                #expect(page.status == .badRequest && page.heading == "This page is no longer valid")
            }
        }
    }

    @Test func `a question of another session is asked again, and a no to it is told`() async throws {
        try await withParty { party, ada, house in
            let page = try await ada.get(party.path())
            let bob = try await house.member("bob@example.com")
            _ = try await party.signIn(bob)
            let refused = try Answer(try await bob.decide("deny", on: page))
            #expect(refused["error"] == "access_denied" && refused["code"] == nil)
            for answer in ["allow", "again"] {
                let asked = try await bob.decide(answer, on: page)
                #expect(asked.location == nil && asked.shows("bob@example.com"), "\(answer)")
            }
            try await ada.logOut()
            #expect(try Answer(try await ada.decide("deny", on: page))["error"] == "access_denied")
        }
    }

    @Test func `a question that is an hour old is answered by a page`() async throws {
        try await withParty { party, ada, house in
            let page = try await ada.get(party.path())
            house.clock.advance(by: .seconds(3600))
            let late = try await ada.decide(on: page)
            #expect(late.status == .badRequest && late.heading == "This page is no longer valid")
        }
    }

    @Test func `consent is given anew thirty times a day, so that nobody hides what came before`() async throws {
        try await withParty { party, ada, house in
            let csrf = ["csrf": try await ada.get("/account").csrf ?? ""]
            for _ in 0..<30 {
                #expect(try Answer(try await ada.decide(on: try await ada.get(party.path())))["code"] != nil)
                try await ada.post("/account/applications/notes/end", csrf)
            }
            let refused = try await ada.decide(on: try await ada.get(party.path()))
            #expect(refused.status == .tooManyRequests && refused.shows("Too many attempts."))
            #expect(try await house.events(of: "ada@example.com").count { $0.kind == .consentGiven } == 30)
        }
    }

    @Test func `consent that is given again as it was leaves no trace`() async throws {
        try await withParty { party, ada, house in
            for scope in ["openid"] + Array(repeating: "openid email", count: 40) {
                let page = try await ada.get(party.path(["scope": scope, "prompt": "consent"]))
                #expect(try Answer(try await ada.decide(on: page))["code"] != nil)
            }
            #expect(try await house.events(of: "ada@example.com").count { $0.kind == .consentGiven } == 2)
            #expect(house.logs.lines(of: "authz_change").count == 2)
        }
    }
}
