import Essentials
import HTTPTypes
import Logging
import TestSupport
import Testing

@testable import Vestibule

/// With the debug log the routes answer proxies, without it the middleware in front of them.
@Suite(.timeLimit(.minutes(15)))
struct VerdictMiddlewareTests {
    @Test func `the short way and the long way answer the same`() async throws {
        let (brief, full) = (try await answers(.info), try await answers(.debug))
        #expect(brief.map(\.status.code) == [200, 200, 200, 303, 401, 401, 401, 403, 403, 403, 200])
        for (brief, full) in zip(brief, full) {
            #expect(brief.status == full.status && brief.body.count == full.body.count)
            #expect(Self.names(brief) == Self.names(full))
            for name in Self.names(brief) where !Self.ownOfEach.contains(name) {
                #expect(brief[name] == full[name], "\(name)")
            }
        }
    }

    @Test func `while the store is down nobody passes, however little is logged`() async throws {
        let store = BrokenStore(error: StoreUnavailable("down"))
        try await withHouse(store: store, environment: ProxiedBrowser.environment) { house in
            let proxied = ProxiedBrowser(house, house.visitor())
            await proxied.browser(at: ProxiedBrowser.notes).set("__Host-vestibule-app", Token(from: .system).text)
            let answer = try await proxied.verdict()
            #expect(answer.status == .serviceUnavailable)
            #expect(house.logs.lines(of: "verdict_failed").count == 1)
        }
    }

    @Test func `a peer that is no trusted proxy gets no verdict, however little is logged`() async throws {
        try await withApplications(values: [.trustedProxies: "203.0.113.1"]) { proxied, house in
            let (caddy, nginx) = (
                try await proxied.verdict(at: ProxiedBrowser.home),
                try await proxied.nginxVerdict(at: ProxiedBrowser.home)
            )
            #expect(caddy.status == .forbidden && nginx.status == .forbidden)
            #expect(house.logs.lines(of: "verdict_refused").count == 2)
        }
    }

    /// To those who pass, strangers, machines, somebody who is not admitted, and nonsense.
    private func answers(_ level: Logger.Level) async throws -> [Page] {
        let answers = Answers()
        try await withApplications(logLevel: level) { proxied, house in
            _ = try await proxied.visit("/")
            let machine = ["Vestibule-Token": try await house.machineToken(for: "notes")]
            await answers.add(try await proxied.verdict("/a?b=c"))
            await answers.add(try await proxied.verdict(at: ProxiedBrowser.home))
            await answers.add(try await proxied.verdict(headers: machine))
            let stranger = ProxiedBrowser(house, house.visitor())
            await answers.add(try await stranger.verdict("/a?b=c"))
            await answers.add(try await stranger.verdict("/a?b=c", headers: ["Accept": "*/*"]))
            await answers.add(try await stranger.nginxVerdict("/a?b=c"))
            await answers.add(try await proxied.verdict(headers: ["Vestibule-Token": "vestibule_x"]))
            let ada = "ada@example.com"
            try await house.change(groups: ada, adding: ["staff"])
            _ = try await proxied.visit("/", at: ProxiedBrowser.wiki)
            try await house.change(groups: ada, removing: ["staff"])
            await answers.add(try await proxied.verdict(at: ProxiedBrowser.wiki, headers: ["Accept": "*/*"]))
            await answers.add(try await proxied.verdict(at: ProxiedBrowser.wiki))
            await answers.add(try await proxied.verdict(headers: ["X-Forwarded-Host": "evil.example"]))
            await answers.add(try await proxied.nginxVerdict("/a?b=c"))
        }
        return await answers.pages
    }

    /// Ids and signatures, and when it was said.
    private static let ownOfEach: Set = ["date", "remote-user", "vestibule-assertion"]

    private static func names(_ page: Page) -> Set<String> { Set(page.headers.map(\.name.canonicalName)) }

    private actor Answers {
        var pages: [Page] = []

        func add(_ page: Page) { pages.append(page) }
    }
}
