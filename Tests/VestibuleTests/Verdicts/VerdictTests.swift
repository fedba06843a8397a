import Essentials
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct VerdictTests {
    @Test func `a request that passes has an assertion and every plain header, empty ones too`() async throws {
        try await withApplications { proxied, house in
            try await house.rename("ada@example.com", to: "Zoë 100%")
            _ = try await proxied.visit("/")
            let passed = try await proxied.verdict(headers: [
                "Remote-User": "root", "Remote-Groups": "staff", "Vestibule-Assertion": "forged",
            ])
            #expect(passed.status == .ok && passed.body.isEmpty)
            let id = try await house.account("ada@example.com").id
            #expect(passed["Remote-User"] == id.rawValue && passed["Remote-Email"] == "ada@example.com")
            #expect(passed["Remote-Name"] == "Zo%C3%AB 100%25" && passed["Remote-Groups"] == "")
            #expect(passed["Vestibule-Assertion"]?.split(separator: ".").count == 3)
            let home = try await proxied.verdict(at: ProxiedBrowser.home)
            #expect(home.status == .ok && home["Remote-User"] == nil && home["Vestibule-Assertion"] != nil)
        }
    }

    @Test func `an application sees the visitor's cookies but ours, under their names of http, too`() async throws {
        try await withApplications { proxied, _ in
            _ = try await proxied.visit("/")
            #expect(try await proxied.verdict()["Cookie"] == nil)
            let browser = await proxied.browser(at: ProxiedBrowser.notes)
            for (name, value) in [("theme", "dark"), ("vestibule-app", "x"), ("__Host-vestibule-start", "y")] {
                await browser.set(name, value)
            }
            #expect(try await proxied.verdict()["Cookie"] == "theme=dark")
        }
    }

    @Test func `the assertion is of the origin that was asked for`() async throws {
        try await withApplications(["VESTIBULE_APP_WIKI_GROUPS": ""]) { proxied, house in
            for origin in [ProxiedBrowser.notes, ProxiedBrowser.wiki, ProxiedBrowser.home] {
                _ = try await proxied.visit("/", at: origin)
                let text = try #require(try await proxied.verdict(at: origin)["Vestibule-Assertion"])
                let read = try ReadAssertion(text, keySet: try await house.keySet())
                #expect(read.text("aud") == origin && read.text("iss") == "https://login.example.com")
            }
        }
    }

    @Test(arguments: [
        (["X-Forwarded-Method": "POST"], 401), (["Accept": "*/*"], 401), (["Accept": "application/json"], 401),
        (["Sec-Fetch-Mode": "cors"], 401), (["Sec-Fetch-Dest": "image", "Sec-Fetch-Mode": "no-cors"], 401),
        (["X-Requested-With": "XMLHttpRequest"], 401), (["Sec-Purpose": "prefetch"], 401),
        (["Upgrade": "websocket", "Connection": "Upgrade", "Accept": "*/*"], 401),
        (["Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"], 303), ([:], 303),
        // As a service worker passes a visit on.
        (["Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "empty", "Sec-Fetch-Site": "same-origin"], 303),
        (["Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty", "Sec-Fetch-Site": "same-origin"], 401),
        (["Sec-Fetch-Dest": "empty"], 401), (["Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"], 401),
    ])
    func `page visits are led to the sign-in, everything else is refused`(
        headers: [String: String], status: Int
    ) async throws {
        try await withApplications { proxied, _ in
            let answer = try await proxied.verdict("/a?b=c", headers: headers)
            #expect(answer.status.code == status)
            #expect((answer.location != nil) == (status == 303))
            let method = ["X-Original-Method": headers["X-Forwarded-Method"] ?? "GET"]
            let nginx = try await proxied.nginxVerdict("/a?b=c", headers: headers.merging(method) { $1 })
            #expect(nginx.status == .unauthorized)
            #expect(nginx.location == (status == 303 ? answer.location : nil))
        }
    }

    @Test func `only members of its groups enter an application`() async throws {
        try await withApplications { proxied, house in
            let refused = try await proxied.visit("/", at: ProxiedBrowser.wiki)
            #expect(refused.status == .forbidden && refused.shows("signed in as ada@example.com"))
            try await house.change(groups: "ada@example.com", adding: ["staff"])
            #expect(try await proxied.visit("/", at: ProxiedBrowser.wiki).status == .ok)
            try await house.change(groups: "ada@example.com", removing: ["staff"])
            let outside = try await proxied.verdict(at: ProxiedBrowser.wiki)
            #expect(outside.status == .forbidden && outside.shows("Wiki is only open to certain groups"))
            #expect(try await proxied.verdict(at: ProxiedBrowser.wiki, headers: ["Accept": "*/*"]).status == .forbidden)
        }
    }

    @Test func `a peer that is no trusted proxy gets no verdict`() async throws {
        try await withApplications(values: [.trustedProxies: "203.0.113.1"]) { proxied, house in
            let (caddy, nginx) = (
                try await proxied.verdict(at: ProxiedBrowser.home),
                try await proxied.nginxVerdict(at: ProxiedBrowser.home)
            )
            #expect(caddy.status == .forbidden && nginx.status == .forbidden)
            #expect(!house.logs.lines(of: "verdict_refused").isEmpty)
        }
        try await withHouse { house in
            let question = try await house.visitor().get("/authz/forward-auth")
            #expect(question.status == .badRequest)
        }
    }

    @Test(arguments: [
        ["X-Forwarded-Host": "evil.example"], ["X-Forwarded-Host": "notes.example.net."], ["X-Forwarded-Proto": "http"],
    ])
    func `a question about what no application has is refused, and said in the log`(headers: [String: String])
        async throws
    {
        try await withApplications { proxied, house in
            _ = try await proxied.visit("/")
            let answer = try await proxied.verdict(headers: headers)
            #expect(answer.status == .forbidden && answer.body == "no application has this origin\n")
            #expect(house.logs.lines(of: "verdict_refused").count == 1)
        }
    }

    @Test func `what applications refuse the operator sees, not more often than other warnings, and no secret`()
        async throws
    {
        try await withApplications { proxied, house in
            _ = try await proxied.visit("/")
            for _ in 1...12 {
                _ = try await proxied.verdict(at: ProxiedBrowser.home, headers: ["X-Forwarded-Uri": "//"])
            }
            for _ in 1...12 { _ = try await proxied.verdict(headers: ["Vestibule-Token": "vestibule_canary"]) }
            let cookie = try #require(await proxied.browser(at: ProxiedBrowser.notes).cookies["__Host-vestibule-app"])
            try await house.change(groups: "ada@example.com", adding: ["staff"])
            _ = try await proxied.visit("/", at: ProxiedBrowser.wiki)
            try await house.change(groups: "ada@example.com", removing: ["staff"])
            for _ in 1...12 { _ = try await proxied.verdict(at: ProxiedBrowser.wiki, headers: ["Accept": "*/*"]) }
            let entries = try await house.services.store.latestEvents(accountID: nil, kind: nil, limit: 100)
            for kind in [SecurityEvent.Kind.verdictRefused, .tokenRefused, .entryRefused] {
                let events = entries.map(\.event).filter { $0.kind == kind }
                #expect(events.reduce(0) { $0 + $1.count } == 10, "\(kind)")
                #expect(house.logs.lines(of: kind.name).count == 10)
            }
            let refused = try #require(entries.first { $0.event.kind == .entryRefused })
            #expect(refused.email == "ada@example.com" && refused.event.address?.description == "192.0.2.1")
            for line in house.logs.lines + entries.map({ "\($0)" }) {
                #expect(!line.contains("canary") && !line.contains(cookie))
            }
            // The owner's own list is for what concerns the account.
            let shown = try await house.services.store.accountOverview(
                accountID: try await house.account("ada@example.com").id, events: 100, now: house.clock.now)
            #expect(!shown.events.isEmpty && !shown.events.contains { $0.kind == .entryRefused })
        }
    }

    @Test func `a refusal that cannot be kept is a refusal all the same`() async throws {
        try await withHouse(store: BrokenStore(), environment: ProxiedBrowser.environment) { house in
            let answer = try await house.visitor().get("/authz/forward-auth")
            #expect(answer.status == .badRequest && !house.logs.lines(of: "verdict_refused").isEmpty)
        }
    }

    @Test(arguments: [
        ["X-Forwarded-Uri": "//app"], ["X-Forwarded-Uri": "/%2f"],
        ["X-Forwarded-Uri": "/..;/"], ["X-Forwarded-Uri": "/%2e%2e/"], ["X-Forwarded-Uri": "/a\\b"],
        ["X-Forwarded-Uri": "/a%00"], ["X-Forwarded-Uri": "/a#b"], ["X-Forwarded-Uri": ""],
        ["X-Original-URL": "https://wiki.example.org/"], ["X-Original-Method": "POST"],
    ])
    func `a question that can be read in two ways is refused, and said in the log`(
        headers: [String: String]
    ) async throws {
        try await withApplications { proxied, house in
            _ = try await proxied.visit("/")
            #expect(try await proxied.verdict(headers: headers).status == .badRequest)
            #expect(!house.logs.lines(of: "verdict_refused").isEmpty)
        }
    }

    @Test(arguments: ["NOTES.example.net", "notes.example.net:443"])
    func `one origin has many spellings`(host: String) async throws {
        try await withApplications { proxied, _ in
            _ = try await proxied.visit("/")
            #expect(try await proxied.verdict(headers: ["X-Forwarded-Host": host]).status == .ok)
        }
    }

    @Test func `a form that comes without a session gets a page that leads to the sign-in, a script one line`()
        async throws
    {
        try await withApplications { proxied, _ in
            let page = try await proxied.verdict("/notes/add", method: "POST")
            #expect(page.status == .unauthorized && page.heading == "Please sign in again")
            #expect(page.shows("get what you sent.") && page.shows("href=\"\(ProxiedBrowser.notes)/\""))
            #expect(page["Content-Security-Policy"]?.contains("default-src 'none'") == true)
            for headers in [["Accept": "*/*"], ["Sec-Fetch-Mode": "cors"], ["Sec-Fetch-Site": "cross-site"]] {
                let line = try await proxied.verdict("/notes/add", method: "POST", headers: headers)
                #expect(line.status == .unauthorized && line.body == "sign in first\n")
            }
        }
    }

    @Test func `a machine's token opens its application only, and names no person`() async throws {
        try await withApplications { proxied, house in
            let secret = try await house.machineToken(for: "notes")
            let passed = try await proxied.verdict(headers: ["Vestibule-Token": secret])
            #expect(passed.status == .ok && passed["Remote-User"]?.hasPrefix("token:") == true)
            #expect(passed["Remote-Email"] == "" && passed["Remote-Name"] == "" && passed["Remote-Groups"] == "")
            let text = try #require(passed["Vestibule-Assertion"])
            let read = try ReadAssertion(text, keySet: try await house.keySet())
            #expect(read.text("sub") == passed["Remote-User"] && read.text("email") == nil)
            for origin in [ProxiedBrowser.wiki, ProxiedBrowser.home] {
                let refused = try await proxied.verdict(at: origin, headers: ["Vestibule-Token": secret])
                #expect(refused.status == .unauthorized && refused.location == nil)
            }
            _ = try await proxied.visit("/")
            #expect(try await proxied.verdict(headers: ["Vestibule-Token": "vestibule_x"]).status == .unauthorized)
        }
    }

    @Test(arguments: [ProxiedBrowser.notes, ProxiedBrowser.home])
    func `while the store is down nobody passes`(origin: String) async throws {
        let settings = ProxiedBrowser.environment
        try await withHouse(store: BrokenStore(error: StoreUnavailable("down")), environment: settings) { house in
            let browser = house.visitor()
            let proxied = ProxiedBrowser(house, browser)
            let cookie = origin == ProxiedBrowser.home ? "__Host-vestibule" : "__Host-vestibule-app"
            await proxied.browser(at: origin).set(cookie, Token(from: .system).text)
            let answer = try await proxied.verdict(at: origin)
            #expect(answer.status == .serviceUnavailable)
        }
    }

    @Test(arguments: [ProxiedBrowser.notes, ProxiedBrowser.home])
    func `a fault behind a script's question is in the log`(origin: String) async throws {
        try await withHouse(store: BrokenStore(), environment: ProxiedBrowser.environment) { house in
            let proxied = ProxiedBrowser(house, house.visitor())
            let cookie = origin == ProxiedBrowser.home ? "__Host-vestibule" : "__Host-vestibule-app"
            await proxied.browser(at: origin).set(cookie, Token(from: .system).text)
            let page = try await proxied.open(origin + "/.vestibule/session")
            #expect(page.status == .internalServerError)
            let lines = house.logs.lines.filter { $0.contains("error fault") }
            #expect(lines.count == 1 && lines.first?.contains("path=/.vestibule/session") == true, "\(lines)")
        }
    }

    @Test func `a verdict writes nothing but now and then when the session was seen`() async throws {
        try await withApplications { proxied, house in
            _ = try await proxied.visit("/")
            let before = try await house.account("ada@example.com")
            let seen = try await house.lastSeen("ada@example.com")
            for _ in 0..<3 { #expect(try await proxied.verdict().status == .ok) }
            #expect(try await house.lastSeen("ada@example.com") == seen)
            house.clock.advance(by: .seconds(61))
            #expect(try await proxied.verdict().status == .ok)
            #expect(try await house.lastSeen("ada@example.com") > seen)
            #expect(try await house.account("ada@example.com") == before)
        }
    }
}
