import Essentials
import Foundation
import HTTPTypes
import Logging
import TestSupport
import Testing

@testable import Serving
@testable import Vestibule

/// Verdicts on sockets, which connections answer by themselves. A question with a body, even an
/// empty one, is for the routes: it tells what they answer.
@Suite(.timeLimit(.minutes(15)))
struct ImmediateVerdictTests {
    private static let empty = "Content-Length: 0\r\n"
    private static let page = "Accept: text/html,*/*;q=0.8\r\n"

    /// As Caddy asks about notes.
    private static func caddy(
        _ cookies: String = "", _ more: String = page, host: String = "notes.example.net", target: String = "/a?b=c"
    ) -> String {
        "GET /authz/forward-auth|Host: a\r\nX-Forwarded-For: 192.0.2.7\r\nX-Forwarded-Method: GET\r\n"
            + "X-Forwarded-Proto: https\r\nX-Forwarded-Host: \(host)\r\nX-Forwarded-Uri: \(target)\r\n"
            + cookies + more
    }

    private static func nginx(_ cookies: String = "", _ more: String = page) -> String {
        "GET /authz/auth-request|Host: a\r\nX-Original-Method: GET\r\n"
            + "X-Original-URL: https://notes.example.net/a?b=c\r\n\(cookies)\(more)"
    }

    /// The cookies of somebody who has entered notes, and their verdict in memory.
    private static func enter(_ proxied: ProxiedBrowser, _ house: House) async throws -> String {
        #expect(try await proxied.visit("/").status == .ok)
        return try await cookies(proxied, at: ProxiedBrowser.notes)
    }

    private static func cookies(_ proxied: ProxiedBrowser, at origin: String) async throws -> String {
        let pairs = await proxied.browser(at: origin).cookies.map { "\($0)=\($1)" }
        return "Cookie: \(try #require(pairs.isEmpty ? nil : pairs).joined(separator: "; "))\r\n"
    }

    /// Both ways' answers, which are the same but for order and time.
    private static func compare(
        _ question: String, _ house: House, isImmediate: Bool = true, _ comment: Comment? = nil
    ) async throws -> RawAnswer {
        let answers = try await RawAnswer.all(of: [question, question + empty], with: house)
        let (first, routed) = (answers[0], answers[1])
        let comment = comment ?? "\(question)"
        #expect(first.isPrepared == isImmediate || (isImmediate && !HouseEngine.answersAtOnce), comment)
        #expect(!routed.isPrepared, comment)
        #expect(first.head[0] == routed.head[0] && first.fields == routed.fields, comment)
        #expect(first.body == routed.body, comment)
        return first
    }

    @Test func `answers given at once are those of the routes, in every byte`() async throws {
        try await withApplications { proxied, house in
            try await house.rename("ada@example.com", to: "Zoë 100%")
            let cookies = try await Self.enter(proxied, house)
            _ = try await proxied.verdict(at: ProxiedBrowser.home)
            let signedIn = try await Self.compare(Self.caddy(cookies), house)
            #expect(signedIn.status == 200 && signedIn.value(of: "remote-name") == "Zo%C3%AB 100%25")
            #expect(try await Self.compare(Self.nginx(cookies), house).status == 200)
            let site = try await Self.cookies(proxied, at: ProxiedBrowser.home)
            let home = try await Self.compare(Self.caddy(site, host: "Login.example.com:443"), house)
            #expect(home.status == 200 && home.value(of: "remote-user") == nil)
            let stranger = try await Self.compare(Self.caddy(), house)
            #expect(stranger.status == 303)
            #expect(stranger.value(of: "location") == "https://notes.example.net/.vestibule/start?to=/a%3Fb%3Dc")
            #expect(try await Self.compare(Self.nginx(), house).value(of: "location") != nil)
            #expect(try await Self.compare(Self.nginx("", ""), house).value(of: "location") != nil)
            for fetch in ["", "Accept: */*\r\n", "\(Self.page)Sec-Fetch-Mode: cors\r\n"] {
                #expect(try await Self.compare(Self.caddy("", fetch), house).status == 401)
            }
            let other = "Cookie: another=\(Token(from: .system).text)\r\n"
            #expect(try await Self.compare(Self.caddy(other), house).status == 303)
            // A cookie of one application opens no other.
            let wiki = try await Self.compare(Self.caddy(cookies, host: "wiki.example.org"), house)
            #expect(wiki.status == 303)
        }
    }

    @Test func `names of fields in any case, and cookies in any line, are read alike`() async throws {
        try await withApplications { proxied, house in
            let cookies = try await Self.enter(proxied, house)
            let others = "cookie: a=b; c\r\n"
            for question in [Self.caddy(others + cookies), Self.nginx(others + cookies)] {
                let shouted = question.replacing("X-", with: "x-").replacing("Cookie", with: "COOKIE")
                #expect(try await Self.compare(shouted, house).status == 200)
            }
            let twice = "\(Self.page)x-original-METHOD: GET\r\n"
            #expect(try await Self.compare(Self.nginx(cookies, twice), house, isImmediate: false).status == 400)
        }
    }

    @Test func `what takes more than memory is for the routes`() async throws {
        try await withApplications { proxied, house in
            let cookies = try await Self.enter(proxied, house)
            let unknown = "Cookie: __Host-vestibule-app=\(Token(from: .system).text)\r\n"
            let machine = "Vestibule-Token: \(try await house.machineToken(for: "notes"))\r\n"
            let doubled = "\(Self.page)X-Forwarded-Host: evil.example\r\n"
            for (question, status) in [
                (Self.caddy(unknown), 303), (Self.caddy(cookies, machine), 200), (Self.caddy(cookies, doubled), 400),
                (Self.caddy(cookies, host: "evil.example"), 403), (Self.caddy(cookies, target: "/..;/"), 400),
                (Self.caddy(cookies).replacing("forward-auth", with: "auth-request"), 400),
                (Self.nginx(cookies).replacing("auth-request", with: "forward-auth"), 400),
                (Self.nginx(cookies, "X-Forwarded-Uri: /other\r\n"), 400),
                (Self.caddy(cookies).replacing("GET /authz", with: "HEAD /authz"), 200),
                (Self.caddy(cookies).replacing("forward-auth|", with: "forward-auth?x|"), 200),
            ] {
                let answer = try await Self.compare(question, house, isImmediate: false)
                #expect(answer.status == status, "\(question)")
            }
            // Of one source no more are written in a minute.
            let lines = house.logs.lines(of: "verdict_refused")
            #expect(lines.count == 10 && lines.contains { $0.contains(" comes twice") })
        }
    }

    @Test func `a peer that is no trusted proxy gets no verdict on sockets either`() async throws {
        try await withApplications(values: [.trustedProxies: "203.0.113.1"]) { proxied, house in
            for question in [Self.caddy(), Self.nginx()] {
                let answer = try await Self.compare(question, house, isImmediate: false)
                #expect(answer.status == 403)
            }
            #expect(house.logs.lines(of: "verdict_refused").count == 4)
        }
    }

    @Test func `with the debug log the routes answer`() async throws {
        try await withApplications(logLevel: .debug) { _, house in
            _ = try await Self.compare(Self.caddy(), house, isImmediate: false)
        }
    }

    @Test func `verdicts come in the order of their questions`() async throws {
        try await withApplications { proxied, house in
            let cookies = try await Self.enter(proxied, house)
            let mixed = [
                Self.caddy(cookies), Self.caddy(), "GET /login", Self.caddy("", "Accept: */*\r\n"),
                Self.nginx(cookies), "GET /nowhere", Self.caddy(host: "evil.example"),
            ]
            let statuses = [200, 303, 200, 401, 200, 404, 403]
            let one = try await RawAnswer.all(of: mixed, with: house)
            #expect(one.map(\.status) == statuses)
            let areImmediate = [true, true, true, true, true, false, false]
            #expect(one.map(\.isPrepared) == areImmediate || !HouseEngine.answersAtOnce)
            let many = try await RawAnswer.all(
                of: Array(repeating: mixed, count: 30).flatMap { $0 }, ahead: true, with: house)
            #expect(many.map(\.status) == Array(repeating: statuses, count: 30).flatMap { $0 })
            #expect(many[0].isPrepared || !HouseEngine.answersAtOnce)
            #expect(many.prefix(7).map(\.body.count) == one.map(\.body.count))
        }
    }

    @Test func `under a path proxies ask at the root of the host and below the path`() async throws {
        let mounted = ["VESTIBULE_PUBLIC_URL": "https://login.example.com/auth"]
        try await withHouse(environment: ProxiedBrowser.environment.merging(mounted) { $1 }) { house in
            for path in ["/authz", "/auth/authz"] {
                let question = Self.caddy(host: "login.example.com").replacing("GET /authz", with: "GET \(path)")
                let location = try await Self.compare(question, house).value(of: "location")
                #expect(location == "https://login.example.com/.vestibule/start?to=/a%3Fb%3Dc")
            }
        }
    }

    @Test func `the next verdict knows what has changed`() async throws {
        try await withApplications(["VESTIBULE_APP_NOTES_GROUPS": "staff"]) { proxied, house in
            let ada = "ada@example.com"
            try await house.change(groups: ada, adding: ["staff"])
            let cookies = try await Self.enter(proxied, house)
            let question = Self.caddy(cookies)
            #expect(try await Self.compare(question, house).value(of: "remote-name") != "Ada L.")
            try await house.rename(ada, to: "Ada L.")
            #expect(try await RawAnswer.of(question, with: house).value(of: "remote-name") == "Ada L.")
            #expect(try await Self.compare(question, house).value(of: "remote-name") == "Ada L.")
            try await house.change(groups: ada, removing: ["staff"])
            #expect(try await RawAnswer.of(question, with: house).status == 403)
            try await house.change(groups: ada, adding: ["staff"])
            #expect(try await RawAnswer.of(question, with: house).status == 200)
            #expect(try await Self.compare(question, house).status == 200)
            try await proxied.disable(ada)
            #expect(try await Self.compare(question, house, isImmediate: false).status == 303)
        }
    }

    @Test func `a session that has ended passes no more`() async throws {
        try await withApplications { proxied, house in
            let cookies = try await Self.enter(proxied, house)
            #expect(try await Self.compare(Self.caddy(cookies), house).status == 200)
            try await proxied.site.logOut()
            #expect(try await Self.compare(Self.caddy(cookies), house, isImmediate: false).status == 303)
        }
    }

    @Test func `time that passes is seen, and noted by the routes`() async throws {
        try await withApplications { proxied, house in
            let cookies = try await Self.enter(proxied, house)
            let first = try await Self.compare(Self.caddy(cookies), house).value(of: "vestibule-assertion")
            // The assertion is signed anew, and known after that.
            house.clock.advance(by: .seconds(31))
            let second = try await RawAnswer.of(Self.caddy(cookies), with: house)
            #expect(!second.isPrepared && second.value(of: "vestibule-assertion") != first)
            _ = try await Self.compare(Self.caddy(cookies), house)
            let seen = try await house.lastSeen("ada@example.com")
            house.clock.advance(by: .seconds(61))
            #expect(try await RawAnswer.of(Self.caddy(cookies), with: house).isPrepared == false)
            #expect(try await house.lastSeen("ada@example.com") > seen)
            #expect(try await RawAnswer.of(Self.caddy(cookies), with: house).status == 200)
            #expect(try await Self.compare(Self.caddy(cookies), house).status == 200)
            house.clock.advance(by: .seconds(400 * 86_400))
            // Known to be over, without a look into the store.
            #expect(try await Self.compare(Self.caddy(cookies), house).status == 303)
        }
    }
}
