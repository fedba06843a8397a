import Essentials
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct RefusedHandOverTests {
    @Test func `a ticket of another browser is tried again and then explained`() async throws {
        try await withApplications { proxied, _ in
            let start = try #require(await proxied.verdict("/x").location)
            let first = try await proxied.ticket(from: start)
            await proxied.browser(at: ProxiedBrowser.notes).forget("__Host-vestibule-start")
            let again = try #require(await proxied.open(first).location)
            #expect(again == "https://notes.example.net/.vestibule/start?again=1&to=/x")
            let second = try await proxied.ticket(from: again)
            await proxied.browser(at: ProxiedBrowser.notes).forget("__Host-vestibule-start")
            let page = try await proxied.open(second)
            #expect(page.status == .badRequest && page.shows("return the cookie from"))
            for file in ["css/vestibule.css", "mark.svg"] {
                #expect(page.body.contains("href=\"/.vestibule/\(file)?v="), "\(file)")
            }
            #expect(await proxied.browser(at: ProxiedBrowser.notes).cookies["__Host-vestibule-app"] == nil)
        }
    }

    @Test(arguments: [ProxiedBrowser.notes, ProxiedBrowser.home])
    func `a proxy that does not pass the cookie on ends on a page, not in a redirect loop`(
        origin: String
    ) async throws {
        try await withApplications { proxied, _ in
            let start = origin + "/.vestibule/start?to=/x"
            var (page, redirects) = (try await proxied.open(start), 1)
            while let location = page.location, redirects < 40 {
                // The verdict says no each time, and leads to the start.
                let isInside = location.contains("/.vestibule/") || location.contains("/enter")
                page = try await proxied.open(isInside ? location : start)
                redirects += isInside ? 1 : 2
            }
            #expect(page.status == .internalServerError && page.shows("pass your cookie on"))
            // Browsers follow twenty, of which some are the application's.
            #expect(redirects <= 17)
        }
    }

    @Test func `who signs out and in again within seconds is in no redirect loop`() async throws {
        try await withApplications { proxied, _ in
            for _ in 0..<4 {
                try await proxied.site.logIn(email: "ada@example.com")
                #expect(try await proxied.visit("/x").status == .ok)
                let out = try await proxied.open(
                    ProxiedBrowser.notes + "/.vestibule/logout", method: .post,
                    headers: ["Origin": ProxiedBrowser.notes])
                #expect(out.status == .seeOther)
            }
        }
    }

    @Test func `a ticket is for one use, one minute and one origin`() async throws {
        try await withApplications(["VESTIBULE_APP_WIKI_GROUPS": ""]) { proxied, house in
            let used = try await proxied.ticket()
            #expect(try await proxied.open(used).status == .seeOther)
            #expect(try await proxied.open(used).shows("no longer valid"))
            await proxied.browser(at: ProxiedBrowser.notes).forget("__Host-vestibule-app")
            let link = try await proxied.ticket()
            let elsewhere = link.replacing("notes.example.net", with: "wiki.example.org")
            #expect(try await proxied.open(elsewhere).shows("no longer valid"))
            let late = try await proxied.ticket()
            house.clock.advance(by: .seconds(60))
            #expect(try await proxied.open(late).shows("no longer valid"))
            #expect(try await proxied.verdict().status == .seeOther)
            let typed = try await proxied.open("https://login.example.com/enter")
            #expect(typed.shows("href=\"https://login.example.com/\">Go to the home page"))
        }
    }

    @Test func `a link to the sign-in leads to the application for an hour`() async throws {
        try await withApplications { proxied, house in
            let start = try #require(await proxied.verdict("/x").location)
            let enter = try #require(await proxied.open(start).location)
            house.clock.advance(by: .seconds(3599))
            #expect(try await proxied.open(enter).location?.hasPrefix(ProxiedBrowser.notes) == true)
            house.clock.advance(by: .seconds(1))
            #expect(try await proxied.open(enter).shows("no longer valid"))
        }
    }

    @Test func `a ticket opens nothing once its session is too old`() async throws {
        try await withApplications(values: [.sessionIdle: "1m", .sessionLifetime: "1m"]) { proxied, house in
            house.clock.advance(by: .seconds(30))
            let late = try await proxied.ticket()
            house.clock.advance(by: .seconds(30))
            #expect(try await proxied.open(late).shows("no longer valid"))
            #expect(await proxied.browser(at: ProxiedBrowser.notes).cookies["__Host-vestibule-app"] == nil)
        }
    }

    @Test(arguments: [
        "//evil.example", "https://evil.example/", "/%5cevil", "/..;/", "/%2f", "javascript:alert(1)", "/a%00",
    ])
    func `nobody is led to another host`(target: String) async throws {
        try await withApplications { proxied, _ in
            let encoded = target.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let page = try await proxied.open(ProxiedBrowser.notes + "/.vestibule/start?to=\(encoded)")
            #expect(page.status == .badRequest && page.location == nil)
        }
    }

    @Test(arguments: [("start?to=//evil.example", HTTPResponse.Status.badRequest), ("nothing", .notFound)])
    func `an error on an application's host has the style of there, and leads back there`(
        path: String, status: HTTPResponse.Status
    ) async throws {
        try await withApplications { proxied, _ in
            let page = try await proxied.open("\(ProxiedBrowser.notes)/.vestibule/\(path)")
            #expect(page.status == status && page.shows("mention this reference"))
            let links = page.body.matches(of: /(?:href|src)="([^"]+)"/).map { String($0.output.1) }
            #expect(links.count > 3)
            let leading = links.filter { !$0.hasPrefix("/.vestibule/") && !$0.hasPrefix(ProxiedBrowser.home) }
            #expect(leading == ["/"])
        }
    }

    @Test(arguments: [
        ("", 303), ("X-Forwarded-Host: notes.example.net\r\n", 303),
        ("X-Forwarded-Host: notes.example.net\r\nX-Forwarded-Host: evil.example\r\n", 400),
        ("X-Forwarded-Proto: http\r\n", 400),
    ])
    func `what a proxy says twice is refused`(more: String, status: Int) async throws {
        try await withApplications { _, house in
            let fields = "Host: notes.example.net\r\nX-Forwarded-Proto: https\r\n\(more)"
            let answer = try await RawAnswer.of("GET /.vestibule/start?to=/|\(fields)", with: house)
            #expect(answer.status == status)
        }
    }

    @Test func `only a trusted proxy reaches it, and a host that is no application's is named`() async throws {
        try await withApplications(values: [.trustedProxies: "203.0.113.1"]) { proxied, house in
            let refused = try await proxied.open(ProxiedBrowser.notes + "/.vestibule/start")
            #expect(refused.status == .forbidden && refused.shows("only from proxies it trusts"))
            #expect(house.logs.lines(of: "handover_failed").first?.contains("cause=untrusted") == true)
            let script = try await proxied.open(ProxiedBrowser.notes + "/.vestibule/session")
            #expect(script.status == .forbidden && script.shows("VESTIBULE_TRUSTED_PROXIES"))
            #expect(house.logs.lines(of: "handover_failed").count == 2)
        }
        try await withApplications { proxied, _ in
            let other = try await proxied.open("https://other.example/.vestibule/start")
            #expect(other.status == .forbidden && other.shows("https://other.example"))
            let plain = try await proxied.open("http://notes.example.net/.vestibule/start")
            #expect(plain.shows("set up for https://notes.example.net only"))
            let two = try await proxied.open(
                ProxiedBrowser.notes + "/.vestibule/start", headers: ["X-Forwarded-Host": "evil.example"])
            #expect(
                two.status == .internalServerError && two.shows("in front of evil.example asks for notes.example.net"))
        }
    }
}
