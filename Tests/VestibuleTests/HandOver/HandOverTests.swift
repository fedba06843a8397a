import Essentials
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import Vestibule
@testable import VestibuleSQLite

@Suite(.timeLimit(.minutes(5)))
struct HandOverTests {
    @Test func `somebody signed in enters an application and lands where they wanted to go`() async throws {
        try await withDoor { door, _ in
            let target = "/a/b%20c?x=1&y=%2F%3F&to=//z"
            let refused = try await door.verdict(target)
            #expect(refused.status == .seeOther)
            let start = try #require(refused.location)
            #expect(
                start.hasPrefix("https://notes.example.net/.vestibule/start?to=%2Fa") || start.contains("start?to=/a"))
            let enter = try #require(await door.open(start).location)
            #expect(enter.hasPrefix("https://login.example.com/enter?request="))
            let ticket = try #require(await door.open(enter).location)
            #expect(ticket.hasPrefix("https://notes.example.net/.vestibule/enter?ticket="))
            let back = try await door.open(ticket)
            #expect(back.status == .seeOther && back.location == "https://notes.example.net" + target)
            let cookie = try #require(back.headers[values: .setCookie].first { $0.hasPrefix("__Host-vestibule-app=") })
            #expect(cookie.contains("Secure") && cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"))
            #expect(cookie.contains("Path=/") && !cookie.contains("Domain"))
            let passed = try await door.verdict(target)
            #expect(passed.status == .ok)
        }
    }

    @Test func `a stranger signs in first and comes back`() async throws {
        try await withDoor { door, house in
            try await door.site.logOut()
            let login = try await door.visit("/page?x=1&y=2")
            #expect(login.heading == "Welcome back")
            let wish = try #require(login.body.firstMatch(of: /name="return_to" value="([^"]+)"/)).output.1
            let signedIn = try await door.site.post(
                "/login",
                ["email": "ada@example.com", "password": Browser.goodPassword, "return_to": String(wish)])
            #expect(signedIn.status == .seeOther)
            let enter = try #require(signedIn.location)
            let ticket = try #require(await door.site.get(enter).location)
            #expect(try await door.open(ticket).location == "https://notes.example.net/page?x=1&y=2")
            #expect(try await door.verdict("/page?x=1&y=2").status == .ok)
        }
    }

    @Test func `a second application needs no second sign-in, and each has its own cookie`() async throws {
        try await withDoor(["VESTIBULE_APP_WIKI_GROUPS": ""]) { door, _ in
            #expect(try await door.visit("/").status == .ok)
            #expect(try await door.visit("/", at: Door.wiki).status == .ok)
            let notes = await door.browser(at: Door.notes).cookies["__Host-vestibule-app"]
            let wiki = await door.browser(at: Door.wiki).cookies["__Host-vestibule-app"]
            #expect(notes != nil && wiki != nil && notes != wiki)
            await door.browser(at: Door.wiki).set("__Host-vestibule-app", notes ?? "")
            #expect(try await door.verdict(at: Door.wiki).status == .seeOther)
            let devices = try await door.site.get("/account/devices")
            #expect(devices.shows("Notes, Wiki"))
        }
    }

    @Test func `signing out in an application signs out everywhere`() async throws {
        try await withDoor { door, _ in
            _ = try await door.visit("/")
            #expect(try await door.open(Door.notes + "/.vestibule/logout").shows("Sign out?"))
            let forged = try await door.open(
                Door.notes + "/.vestibule/logout", method: .post, headers: ["Sec-Fetch-Site": "cross-site"])
            #expect(forged.status == .forbidden)
            #expect(try await door.verdict().status == .ok)
            let out = try await door.open(
                Door.notes + "/.vestibule/logout", method: .post, headers: ["Origin": Door.notes])
            #expect(out.status == .seeOther && out.location == "https://notes.example.net/")
            #expect(try await door.verdict().status == .seeOther)
            #expect(try await door.site.get("/account").status == .seeOther)
        }
    }

    @Test(arguments: ["session", "password", "password changed here", "account"])
    func `what ends at the sign-in ends in the application`(what: String) async throws {
        try await withDoor { door, house in
            _ = try await door.visit("/")
            #expect(try await door.verdict().status == .ok)
            switch what {
            case "session":
                try await door.site.logOut()
            case "password", "password changed here":
                let other = what == "password" ? house.visitor(at: "192.0.2.9") : door.site
                if what == "password" {
                    try await other.logIn(email: "ada@example.com", password: Browser.goodPassword)
                }
                let changed = try await other.post(
                    "/account/password",
                    [
                        "csrf": await other.get("/account/password").csrf ?? "",
                        "current_password": Browser.goodPassword, "password": "gravel lantern orbit",
                        "password_confirmation": "gravel lantern orbit",
                    ])
                #expect(changed.status == .seeOther)
            default:
                try await door.disable("ada@example.com")
            }
            #expect(try await door.verdict().status != .ok)
        }
    }

    @Test func `a ticket of another browser is tried again and then explained`() async throws {
        try await withDoor { door, _ in
            let start = try #require(await door.verdict("/x").location)
            let first = try await door.ticket(from: start)
            await door.browser(at: Door.notes).forget("__Host-vestibule-start")
            let again = try #require(await door.open(first).location)
            #expect(again == "https://notes.example.net/.vestibule/start?again=1&to=/x")
            let second = try await door.ticket(from: again)
            await door.browser(at: Door.notes).forget("__Host-vestibule-start")
            let page = try await door.open(second)
            #expect(page.status == .badRequest && page.shows("did not send back the cookie"))
            #expect(page.body.contains("href=\"/.vestibule/css/vestibule.css"))
            #expect(await door.browser(at: Door.notes).cookies["__Host-vestibule-app"] == nil)
        }
    }

    @Test func `a proxy that keeps the cookie to itself ends on a page, not in a circle`() async throws {
        try await withDoor { door, _ in
            var page = try await door.open(Door.notes + "/.vestibule/start?to=/x")
            for _ in 0..<9 {
                guard let location = page.location else { break }
                // The verdict says no each time.
                let isInside = location.contains("/.vestibule/") || location.contains("/enter")
                page = try await door.open(isInside ? location : Door.notes + "/.vestibule/start?to=/x")
            }
            #expect(page.status == .internalServerError && page.shows("does not pass your cookie on"))
        }
    }

    @Test func `a ticket is for one use, one minute and one origin`() async throws {
        try await withDoor(["VESTIBULE_APP_WIKI_GROUPS": ""]) { door, house in
            let used = try await door.ticket()
            #expect(try await door.open(used).status == .seeOther)
            #expect(try await door.open(used).shows("no longer valid"))
            await door.browser(at: Door.notes).forget("__Host-vestibule-app")
            let link = try await door.ticket()
            let elsewhere = link.replacing("notes.example.net", with: "wiki.example.org")
            #expect(try await door.open(elsewhere).shows("no longer valid"))
            let late = try await door.ticket()
            house.clock.advance(by: .seconds(60))
            #expect(try await door.open(late).shows("no longer valid"))
            #expect(try await door.verdict().status == .seeOther)
        }
    }

    @Test(arguments: [
        "//evil.example", "https://evil.example/", "/%5cevil", "/..;/", "/%2f", "javascript:alert(1)", "/a%00",
    ])
    func `nobody is led to another host`(target: String) async throws {
        try await withDoor { door, _ in
            let encoded = target.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let page = try await door.open(Door.notes + "/.vestibule/start?to=\(encoded)")
            #expect(page.status == .badRequest && page.location == nil)
        }
    }

    @Test func `only a trusted proxy reaches it, and a host that is no application's is named`() async throws {
        try await withDoor(values: [.trustedProxies: "203.0.113.1"]) { door, _ in
            let refused = try await door.open(Door.notes + "/.vestibule/start")
            #expect(refused.status == .forbidden)
        }
        try await withDoor { door, _ in
            let other = try await door.open("https://other.example/.vestibule/start")
            #expect(other.status == .internalServerError && other.shows("https://other.example"))
            let plain = try await door.open("http://notes.example.net/.vestibule/start")
            #expect(plain.shows("set up for https://notes.example.net only"))
            let two = try await door.open(
                Door.notes + "/.vestibule/start", headers: ["X-Forwarded-Host": "evil.example"])
            #expect(two.status == .badRequest)
        }
    }

    @Test func `raised terms are accepted before an application is entered`() async throws {
        let store = try SQLiteStore(inMemory: ())
        try await withHouse(store: store) { house in _ = try await house.member("ada@example.com") }
        try await withHouse([.termsVersion: "2"], store: store, over: .live, environment: Door.environment) { house in
            let door = Door(house, house.visitor())
            try await door.site.logIn(email: "ada@example.com")
            let start = try #require(await door.verdict("/x").location)
            let enter = try #require(await door.open(start).location)
            let terms = try #require(await door.open(enter).location)
            #expect(terms.hasPrefix("/account/terms?return_to=/enter%3Frequest%3D"))
            #expect(try await door.verdict("/x", at: Door.home).status == .seeOther)
        }
    }

    @Test func `an application of the sign-in's own origin needs no hand-over`() async throws {
        try await withDoor { door, _ in
            #expect(try await door.verdict("/app", at: Door.home).status == .ok)
            try await door.site.logOut()
            let start = try #require(await door.verdict("/app?x=1", at: Door.home).location)
            let login = try #require(await door.open(start).location)
            #expect(login == "https://login.example.com/login?return_to=/app%3Fx%3D1")
        }
    }

    @Test func `scripts learn who is signed in`() async throws {
        try await withDoor { door, _ in
            let session = Door.notes + "/.vestibule/session"
            let stranger = try await door.open(session)
            #expect(stranger.status == .unauthorized)
            _ = try await door.visit("/")
            let page = try await door.open(session)
            #expect(page.status == .ok && page.headers[.cacheControl] == "no-store")
            let json = try #require(try JSONSerialization.jsonObject(with: Data(page.body.utf8)) as? [String: Any])
            let user = try #require(json["user"] as? [String: Any])
            #expect(user["email"] as? String == "ada@example.com" && user["groups"] as? [String] == [])
            #expect((json["assertion"] as? String)?.split(separator: ".").count == 3)
            #expect(json["expires_at"] is String)
            let keys = try await door.open(Door.notes + "/.vestibule/jwks.json")
            #expect(keys.status == .ok && keys.shows("\"kty\":\"EC\""))
        }
    }
}
