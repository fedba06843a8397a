import Essentials
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct HandOverTests {
    @Test func `somebody signed in enters an application and lands where they wanted to go`() async throws {
        try await withApplications { proxied, _ in
            let target = "/a/b%20c?x=1&y=%2F%3F&to=//z"
            let refused = try await proxied.verdict(target)
            #expect(refused.status == .seeOther)
            let start = try #require(refused.location)
            #expect(
                start.hasPrefix("https://notes.example.net/.vestibule/start?to=%2Fa") || start.contains("start?to=/a"))
            let enter = try #require(await proxied.open(start).location)
            #expect(enter.hasPrefix("https://login.example.com/enter?request="))
            let ticket = try #require(await proxied.open(enter).location)
            #expect(ticket.hasPrefix("https://notes.example.net/.vestibule/enter?ticket="))
            let back = try await proxied.open(ticket)
            #expect(back.status == .seeOther && back.location == "https://notes.example.net" + target)
            let cookie = try #require(back.headers[values: .setCookie].first { $0.hasPrefix("__Host-vestibule-app=") })
            #expect(cookie.contains("Secure") && cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"))
            #expect(cookie.contains("Path=/") && !cookie.contains("Domain"))
            let passed = try await proxied.verdict(target)
            #expect(passed.status == .ok)
        }
    }

    @Test func `a stranger signs in first and comes back`() async throws {
        try await withApplications { proxied, house in
            try await proxied.site.logOut()
            let login = try await proxied.visit("/page?x=1&y=2")
            #expect(login.heading == "Sign in")
            let wish = try #require(login.body.firstMatch(of: /name="return_to" value="([^"]+)"/)).output.1
            let signedIn = try await proxied.site.post(
                "/login",
                ["email": "ada@example.com", "password": Browser.goodPassword, "return_to": String(wish)])
            #expect(signedIn.status == .seeOther)
            let enter = try #require(signedIn.location)
            let ticket = try #require(await proxied.site.get(enter).location)
            #expect(try await proxied.open(ticket).location == "https://notes.example.net/page?x=1&y=2")
            #expect(try await proxied.verdict("/page?x=1&y=2").status == .ok)
        }
    }

    @Test func `a link of the application to the sign-in leads back into it`() async throws {
        try await withApplications { proxied, _ in
            try await proxied.site.logOut()
            let wish = "https://notes.example.net/start"
            let login = try await proxied.site.get("/login?return_to=\(wish)")
            #expect(login.shows(#"name="return_to" value="\#(wish)""#) && login.shows("Notes"))
            #expect(login["Content-Security-Policy"]?.contains("form-action 'self' https://notes.example.net;") == true)
            let fields = ["email": "ada@example.com", "password": Browser.goodPassword, "return_to": wish]
            #expect(try await proxied.site.post("/login", fields).location == wish)
        }
    }

    @Test func `somebody in none of its groups goes on with another account`() async throws {
        try await withApplications { proxied, house in
            _ = try await house.member("bob@example.com")
            try await house.change(groups: "bob@example.com", adding: ["staff"])
            let refused = try await proxied.visit("/page", at: ProxiedBrowser.wiki)
            #expect(refused.shows("Using another account signs you out of this site"))
            let wish = String(
                try #require(refused.body.firstMatch(of: /name="return_to" value="([^"]+)"/)).output.1)
            let out = try await proxied.site.post("/logout", ["csrf": refused.csrf ?? "", "return_to": wish])
            #expect(try await proxied.site.get("/account").status == .seeOther)
            #expect(out.location?.hasPrefix("/login?return_to=") == true)
            #expect(try await proxied.site.get(out.location ?? "").shows("You&#39;re signed out"))
            let signedIn = try await proxied.site.post(
                "/login", ["email": "bob@example.com", "password": Browser.goodPassword, "return_to": wish])
            let ticket = try #require(await proxied.site.get(signedIn.location ?? "").location)
            #expect(try await proxied.open(ticket).location == "https://wiki.example.org/page")

            try await house.change(groups: "bob@example.com", removing: ["staff"])
            let outside = try await proxied.verdict(at: ProxiedBrowser.wiki)
            #expect(outside.body.contains(#"action="/.vestibule/logout""#))
            let left = try await proxied.open(
                ProxiedBrowser.wiki + "/.vestibule/logout", method: .post, headers: ["Origin": ProxiedBrowser.wiki])
            #expect(left.location == "https://wiki.example.org/")
            #expect(try await proxied.visit("/", at: ProxiedBrowser.wiki).heading == "Sign in")
        }
    }

    @Test func `every page on the way to an application names it, and no other page does`() async throws {
        try await withApplications { proxied, _ in
            try await proxied.site.logOut()
            let login = try await proxied.visit("/")
            let wish = try #require(login.body.firstMatch(of: /name="return_to" value="([^"]+)"/)).output.1
            let name = "<bdi>Notes</bdi>"
            for page in ["/", "/login", "/signup", "/reset"] {
                #expect(try await proxied.site.get("\(page)?return_to=\(wish)").body.contains(name), "\(page)")
                #expect(try await !proxied.site.get("\(page)?return_to=/account").body.contains(name), "\(page)")
            }
            let refused = try await proxied.site.post("/login", ["email": "", "return_to": String(wish)])
            #expect(refused.body.contains(name))
        }
    }

    @Test func `a second application needs no second sign-in, and each has its own cookie`() async throws {
        try await withApplications(["VESTIBULE_APP_WIKI_GROUPS": ""]) { proxied, _ in
            #expect(try await proxied.visit("/").status == .ok)
            #expect(try await proxied.visit("/", at: ProxiedBrowser.wiki).status == .ok)
            let notes = await proxied.browser(at: ProxiedBrowser.notes).cookies["__Host-vestibule-app"]
            let wiki = await proxied.browser(at: ProxiedBrowser.wiki).cookies["__Host-vestibule-app"]
            #expect(notes != nil && wiki != nil && notes != wiki)
            await proxied.browser(at: ProxiedBrowser.wiki).set("__Host-vestibule-app", notes ?? "")
            #expect(try await proxied.verdict(at: ProxiedBrowser.wiki).status == .seeOther)
            let devices = try await proxied.site.get("/account/devices")
            for (origin, name) in [(ProxiedBrowser.notes, "Notes"), (ProxiedBrowser.wiki, "Wiki")] {
                #expect(devices.shows(#"<dd><a href="\#(origin)/"><bdi>\#(name)</bdi></a></dd>"#))
            }
        }
    }

    @Test(arguments: [true, false])
    func `pages that a browser opens at once all get in`(areSame: Bool) async throws {
        try await withApplications { proxied, house in
            try await withThrowingTaskGroup(of: Page.self) { group in
                for tab in 0..<6 {
                    group.addTask { try await proxied.visit(areSame ? "/x" : "/\(tab)") }
                }
                for try await page in group { #expect(page.status == .ok, "\(page.heading ?? "")") }
            }
            #expect(try await proxied.verdict().status == .ok)
            #expect(house.logs.lines(of: "handover_failed").isEmpty)
        }
    }

    @Test func `a copied cookie of an application stays shut after a proof, when its owner enters`() async throws {
        try await withApplications { proxied, house in
            _ = try await proxied.visit("/")
            let browser = await proxied.browser(at: ProxiedBrowser.notes)
            let copied = try #require(await browser.cookies["__Host-vestibule-app"])
            try await proxied.changePassword()
            #expect(try await proxied.visit("/").status == .ok)
            await browser.set("__Host-vestibule-app", copied)
            #expect(try await proxied.verdict().status == .seeOther)
        }
    }

    @Test func `signing out signs out everywhere, also when the application's cookie has ended`() async throws {
        let logout = ProxiedBrowser.notes + "/.vestibule/logout"
        try await withApplications { proxied, house in
            _ = try await proxied.visit("/")
            try await proxied.changePassword()
            let own = ["Origin": ProxiedBrowser.notes]
            let script = own.merging(["Accept": "*/*", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"]) { $1 }
            #expect(try await proxied.open(logout, method: .post, headers: script).status == .unauthorized)
            let asked = try await proxied.follow(try await proxied.open(logout, method: .post, headers: own))
            #expect(asked.shows("Sign out?"))
            let out = try await proxied.open(logout, method: .post, headers: own)
            #expect(out.location == "https://notes.example.net/")
            #expect(try await proxied.site.get("/account").status == .seeOther)

            let login = try await proxied.follow(try await proxied.open(logout, method: .post, headers: own))
            #expect(login.heading == "Sign in")
            let signedIn = try await proxied.site.logIn(
                email: "ada@example.com", password: ProxiedBrowser.newPassword,
                returnTo: try login.hidden("return_to"))
            let inside = try await proxied.follow(signedIn)
            #expect(inside["Vestibule-Assertion"] != nil)
        }
    }

    @Test func `signing out in an application signs out everywhere`() async throws {
        try await withApplications { proxied, _ in
            _ = try await proxied.visit("/")
            #expect(try await proxied.open(ProxiedBrowser.notes + "/.vestibule/logout").shows("Sign out?"))
            let forged = try await proxied.open(
                ProxiedBrowser.notes + "/.vestibule/logout", method: .post, headers: ["Sec-Fetch-Site": "cross-site"])
            #expect(forged.status == .forbidden)
            #expect(try await proxied.verdict().status == .ok)
            let out = try await proxied.open(
                ProxiedBrowser.notes + "/.vestibule/logout", method: .post, headers: ["Origin": ProxiedBrowser.notes])
            #expect(out.status == .seeOther && out.location == "https://notes.example.net/")
            #expect(try await proxied.verdict().status == .seeOther)
            #expect(try await proxied.site.get("/account").status == .seeOther)
        }
    }

    @Test(arguments: ["session", "password", "password changed here", "account"])
    func `what ends at the sign-in ends in the application`(what: String) async throws {
        try await withApplications { proxied, house in
            _ = try await proxied.visit("/")
            #expect(try await proxied.verdict().status == .ok)
            switch what {
            case "session":
                try await proxied.site.logOut()
            case "password", "password changed here":
                let other = what == "password" ? house.visitor(at: "192.0.2.9") : proxied.site
                if what == "password" {
                    try await other.logIn(email: "ada@example.com", password: Browser.goodPassword)
                }
                try await proxied.changePassword(in: other)
            default:
                try await proxied.disable("ada@example.com")
            }
            #expect(try await proxied.verdict().status != .ok)
        }
    }

    @Test func `raised terms are accepted before an application is entered`() async throws {
        let store = try await sharedStore()
        try await withHouse(store: store) { house in _ = try await house.member("ada@example.com") }
        try await withHouse([.termsVersion: "2"], store: store, environment: ProxiedBrowser.environment) {
            house in
            let proxied = ProxiedBrowser(house, house.visitor())
            try await proxied.site.logIn(email: "ada@example.com")
            let start = try #require(await proxied.verdict("/x").location)
            let enter = try #require(await proxied.open(start).location)
            let terms = try #require(await proxied.open(enter).location)
            #expect(terms.hasPrefix("/account/terms?return_to=/enter%3Frequest%3D"))
            #expect(try await proxied.verdict("/x", at: ProxiedBrowser.home).status == .seeOther)
            let login = try #require(await proxied.open(ProxiedBrowser.home + "/.vestibule/start?to=/x").location)
            #expect(login == "https://login.example.com/login?return_to=/x")
            let script = try await proxied.open(ProxiedBrowser.home + "/.vestibule/session")
            #expect(script.status == .unauthorized && !script.shows("ada@example.com"))
        }
    }

    @Test func `an application of the sign-in's own origin needs no hand-over`() async throws {
        try await withApplications { proxied, _ in
            #expect(try await proxied.verdict("/app", at: ProxiedBrowser.home).status == .ok)
            try await proxied.site.logOut()
            let start = try #require(await proxied.verdict("/app?x=1", at: ProxiedBrowser.home).location)
            let login = try #require(await proxied.open(start).location)
            #expect(login == "https://login.example.com/login?return_to=/app%3Fx%3D1")
        }
    }

    @Test func `scripts learn who is signed in`() async throws {
        try await withApplications { proxied, _ in
            let session = ProxiedBrowser.notes + "/.vestibule/session"
            let stranger = try await proxied.open(session)
            #expect(stranger.status == .unauthorized)
            _ = try await proxied.visit("/")
            let page = try await proxied.open(session)
            #expect(page.status == .ok && page.headers[.cacheControl] == "no-store")
            let json = try #require(try JSONSerialization.jsonObject(with: Data(page.body.utf8)) as? [String: Any])
            let user = try #require(json["user"] as? [String: Any])
            #expect(user["email"] as? String == "ada@example.com" && user["groups"] as? [String] == [])
            #expect((json["assertion"] as? String)?.split(separator: ".").count == 3)
            #expect(json["expires_at"] is String)
            let keys = try await proxied.open(ProxiedBrowser.notes + "/.vestibule/jwks.json")
            #expect(keys.status == .ok && keys.shows("\"kty\":\"EC\""))
        }
    }

    @Test func `the operator sees who was refused at the door`() async throws {
        try await withApplications { proxied, house in
            let page = try await proxied.visit("/", at: ProxiedBrowser.wiki)
            #expect(page.status == .forbidden && page.shows("Wiki is only open to certain groups"))
            try await expectRefusals(1, house)
        }
    }

    /// As the operator sees them of ada, at the wiki.
    private func expectRefusals(_ count: Int, _ house: House) async throws {
        #expect(try await house.events(of: "ada@example.com").filter { $0.kind == .entryRefused }.count == count)
        let lines = house.logs.lines(of: "entry_refused")
        #expect(lines.count == count, "\(lines)")
        let account = try await house.account("ada@example.com").id.rawValue
        #expect(lines.allSatisfy { $0.contains("origin=\(ProxiedBrowser.wiki)") && $0.contains(account) }, "\(lines)")
    }

    @Test func `scripts learn that somebody is in none of the application's groups any more`() async throws {
        try await withApplications { proxied, house in
            try await house.change(groups: "ada@example.com", adding: ["staff"])
            _ = try await proxied.visit("/", at: ProxiedBrowser.wiki)
            let session = ProxiedBrowser.wiki + "/.vestibule/session"
            #expect(try await proxied.open(session).status == .ok)
            try await house.change(groups: "ada@example.com", removing: ["staff"])
            let refused = try await proxied.open(session)
            #expect(refused.status == .forbidden && refused.shows("in none of the groups"))
            try await expectRefusals(1, house)
        }
    }
}
