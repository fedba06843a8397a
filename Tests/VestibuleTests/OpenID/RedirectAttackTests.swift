import Foundation
import HTTPTypes
import Testing

@testable import Essentials
@testable import Vestibule

/// Where an answer can be led to: nowhere but to the addresses in the settings.
@Suite(.timeLimit(.minutes(15)))
struct RedirectAttackTests {
    static let variants = [
        "https://notes.example/in/", "https://notes.example/IN", "https://NOTES.example/in", "HTTPS://notes.example/in",
        "http://notes.example/in", "https://notes.example:443/in", "https://notes.example:8443/in",
        "https://notes.example./in", "https://evil@notes.example/in", "https://notes.example@evil.example/in",
        "https://notes.example/in#x", "https://notes.example/in?x=1", "https://notes.example/in?from=site&x=1",
        "https://notes.example/x/../in", "https://notes.example/%2e%2e/in", "https://notes.example/i%6e",
        "https://notes.example//in", "https://notes.example/in%20", " https://notes.example/in", "//notes.example/in",
        "https://notes.example\\/in", "https://xnotes.example/in", "https://notes.example.evil.example/in", "/in", "*",
        "javascript:alert(1)", "data:text/html,x", "", "https://wiki.example/in", "com.example.phone:/in",
    ]

    @Test(arguments: variants)
    func `a redirect that is not one of the client's in every byte is a page`(redirect: String) async throws {
        try await withParty { party, ada, _ in
            for extra in [[:], ["prompt": "none"], ["response_mode": "form_post"]] as [[String: String?]] {
                let page = try await ada.get(party.path(extra.merging(["redirect_uri": redirect]) { $1 }))
                #expect(page.status == .badRequest && page.location == nil && !page.shows("evil.example"))
            }
        }
    }

    @Test(arguments: ["nobody", "NOTES", "notes ", "/notes", "../notes", "plain", "", "notes\u{0}"])
    func `an id that is no client's is a page`(id: String) async throws {
        try await withParty { party, ada, _ in
            let page = try await ada.get(party.path(["client_id": id]))
            #expect(page.status == .badRequest && page.location == nil)
            #expect(page.heading == "This application isn&#39;t known here")
        }
    }

    @Test(arguments: ["redirect_uri", "client_id", "state", "scope", "nonce", "prompt", "code_challenge"])
    func `a parameter that comes twice is a page`(name: String) async throws {
        try await withParty { party, ada, _ in
            let value = name == "redirect_uri" ? "https%3A%2F%2Fnotes.example%2Fin" : "notes"
            let page = try await ada.get(party.path(["prompt": "none", "code_challenge": "x"]) + "&\(name)=\(value)")
            #expect(page.status == .badRequest && page.location == nil)
        }
    }

    @Test(arguments: [
        ("/oauth/authorize", "Diese Anwendung ist hier nicht bekannt"),
        ("/oauth/authorize?lang=en&client_id=nobody&state=%22%3E%3Cb%3E", "Diese Anwendung ist hier nicht bekannt"),
        ("/oauth/authorize?lang&client_id=nobody", "Diese Anwendung ist hier nicht bekannt"),
        ("/oauth/authorize?client_id=nobody&%6cang=en", "Diese Anwendung ist hier nicht bekannt"),
        ("/oauth/authorize?client_id=notes&redirect_uri=x", "Diese Adresse gilt hier nicht"),
        ("/oauth/authorize?state=1&state=2", "Diese Anfrage ist nicht lesbar"),
        ("/oauth/authorize?resume=x", "Diese Seite gilt nicht mehr"),
        (
            "/oauth/logout?client_id=notes&post_logout_redirect_uri=x&lang=en", "Diese Adresse gilt hier nicht"
        ),
        ("/oauth/logout?state=1&state=2", "Diese Anfrage ist nicht lesbar"),
    ])
    func `in another language a fault is the same`(path: String, german: String) async throws {
        try await withParty { _, ada, _ in
            func follow(_ page: Page, to language: String) async throws -> Page {
                let links = page.body.matches(of: /href="(\?lang=[^"]+)"/).map { String($0.output.1) }
                let link = try #require(links.first { $0.hasPrefix("?lang=\(language)") })
                return try await ada.get(path.prefix { $0 != "?" } + link.replacing("&amp;", with: "&"))
            }
            let page = try await ada.get(path)
            let other = try await follow(page, to: "de")
            let back = try await follow(other, to: "en")
            #expect(page.status == .badRequest && !page.shows("<b>"))
            #expect(other.status == .badRequest && other.heading == german)
            #expect(back.status == .badRequest && back.heading == page.heading)
        }
    }

    @Test func `a page that no link can show again offers no other language`() async throws {
        try await withParty { party, ada, _ in
            _ = try await party.signIn(ada)
            for page in [
                try await ada.post("/oauth/authorize", ["client_id": "nobody"]),
                try await ada.post("/oauth/authorize", ["resume": "x"]),
                try await ada.post("/oauth/logout", ["client_id": "notes", "post_logout_redirect_uri": "x"]),
                try await ada.get(party.path(["response_mode": "form_post"])),
            ] {
                #expect(page.heading != nil && !page.shows("lang=de"), "\(page.heading ?? "")")
            }
        }
    }

    @Test func `the title of a fault does not say that something is done`() async throws {
        try await withParty { party, ada, _ in
            try await ada.logOut()
            let page = try await ada.get(party.path(["client_id": "nobody"]))
            #expect(page.status == .badRequest && page.shows("id=\"notice\""))
            #expect(page.title?.hasPrefix("This application isn&#39;t known here") == true, "\(page.title ?? "")")
        }
    }

    @Test func `a loopback redirect may have any port, and nothing else of its own`() async throws {
        try await withParty(id: "phone") { party, ada, _ in
            let pkce: [String: String?] = [
                "code_challenge": RelyingParty.challenge, "code_challenge_method": "S256", "state": "a b&c=d#\u{e9}",
            ]
            func ask(_ redirect: String) async throws -> Page {
                let page = try await ada.get(party.path(pkce.merging(["redirect_uri": redirect]) { $1 }))
                return page.shows("Continue to ") ? try await ada.decide(on: page) : page
            }
            let answer = try Answer(try await ask("http://127.0.0.1:51004/in"))
            #expect(answer.to == "http://127.0.0.1:51004/in" && answer["state"] == "a b&c=d#\u{e9}")
            #expect(try await ask("com.example.phone:/in").location?.hasPrefix("com.example.phone:/in?code=") == true)
            for other in [
                "http://127.0.0.1:51004/other", "http://127.0.0.1:x/in", "http://127.0.0.1:/in", "http://127.0.0.2/in",
                "http://127.0.0.1@evil.example/in", "http://127.0.0.1.evil.example/in", "http://localhost/in",
                "https://127.0.0.1/in", "http://127.0.0.1:51004@evil.example/in", "http://127.0.0.1:123456/in",
            ] {
                #expect(try await ask(other).status == .badRequest, "\(other)")
            }
        }
    }

    @Test func `a nonce that no database keeps whole is refused`() async throws {
        try await withParty { party, ada, _ in
            let answer = try await party.answer(to: ada, ["nonce": "a\u{0}b"])
            #expect(answer["error"] == "invalid_request" && answer["code"] == nil)
        }
    }

    @Test func `a state that is too long is told to the client, and ten megabytes are not read`() async throws {
        try await withParty { party, ada, _ in
            #expect(try await party.answer(to: ada, ["state": String(repeating: "s", count: 900)])["code"] != nil)
            let long = try await party.answer(to: ada, ["state": String(repeating: "s", count: 2000)])
            #expect(long["error"] == "invalid_request" && long["code"] == nil)
            // Sealed as JSON, each of them takes six bytes.
            let escaped = try await party.answer(to: ada, ["state": String(repeating: "\u{1}", count: 230)])
            #expect(escaped["error"] == "invalid_request" && escaped["code"] == nil)
            let huge = Array("client_id=notes&state=".utf8) + [UInt8](repeating: 115, count: 10 * 1024 * 1024)
            let refused = try await ada.post("/oauth/authorize", raw: huge)
            #expect(refused.status == .badRequest && refused.shows("too long"))
        }
    }

    @Test(arguments: [("iframe", "same-site"), ("empty", "same-origin")])
    func `in a frame nobody is signed in, and no page lets itself be framed`(
        destination: String, site: String
    ) async throws {
        try await withParty { party, ada, _ in
            _ = try await party.signIn(ada)
            let frame = ["Sec-Fetch-Dest": destination, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Site": site]
            let answer = try Answer(try await ada.get(party.path(["prompt": "none"]), headers: frame))
            #expect(answer["error"] == "login_required" && answer["code"] == nil)
            #expect(try await ada.get(party.path(), headers: frame).status == .forbidden)
            let asked = try await ada.get(party.path(["prompt": "consent"]))
            #expect(asked.heading == "Continue to Notes?")
            let policy = asked.headers[.contentSecurityPolicy] ?? ""
            #expect(policy.contains("frame-ancestors 'none'"))
            for source in [
                "https://plain.example", "https://notes.example", "com.example.phone:", "http://127.0.0.1:*",
            ] {
                #expect(policy.contains(" \(source)"))
            }
        }
    }

    @Test func `a stranger's pages name no application but the one asked for`() async throws {
        try await withParty { party, _, house in
            let stranger = house.visitor()
            for path in ["/", "/login", "/signup", "/reset", "/nowhere", "/login?return_to=/account"] {
                let policy = try await stranger.get(path).headers[.contentSecurityPolicy] ?? ""
                #expect(policy.contains("; form-action 'self'; "), "\(path)")
            }
            let login = try #require(try await stranger.get(party.path()).location)
            let wrong = try await stranger.get(login).hidden("return_to")
            let pages = [
                try await stranger.get(login),
                try await stranger.post(
                    "/login", ["email": "nobody@example.com", "password": "wrong password", "return_to": wrong]),
            ]
            for page in pages {
                let policy = page.headers[.contentSecurityPolicy] ?? ""
                #expect(policy.contains("; form-action 'self' https://notes.example"))
                #expect(!policy.contains("plain.example") && !policy.contains("phone"))
            }
        }
    }

    @Test func `a form may lead to the redirect URIs of an application that AFTER_LOGIN_URL names`() async throws {
        let plain = ["VESTIBULE_APP_PLAIN_REDIRECTS": "https://accounts.plain.example/in"]
        try await withParty([.afterLoginURL: "https://plain.example/home"], environment: plain) { _, _, house in
            let policy = try await house.visitor().get("/login").headers[.contentSecurityPolicy] ?? ""
            #expect(policy.contains("; form-action 'self' https://plain.example https://accounts.plain.example; "))
        }
    }

    @Test func `an answer by a form is sent to the client alone`() async throws {
        try await withParty { party, ada, house in
            _ = try await party.signIn(ada)
            let page = try await ada.get(party.path(["response_mode": "form_post", "state": "\"><b>"]))
            #expect(page.status == .ok && page.shows("action=\"https://notes.example/in\""))
            let policy = page.headers[.contentSecurityPolicy] ?? ""
            #expect(policy.contains("; form-action 'self' https://notes.example; "))
            #expect(page.shows("value=\"&quot;&gt;&lt;b&gt;\"") && page.headers[.cacheControl] == "no-store")
            #expect(try await party.redeem(try page.hidden("code")).status == .ok)
            #expect(try page.hidden("iss") == "http://localhost:8080")
            let fragment = try await party.answer(to: ada, ["response_mode": "fragment"])
            #expect(fragment["error"] == "invalid_request")
        }
    }

    @Test func `of two issuers each names itself`() async throws {
        let url = "https://example.com/auth"
        try await withHouse(
            environment: RelyingParty.environment.merging([
                "VESTIBULE_PUBLIC_URL": url, "VESTIBULE_DEV_EXPOSE": "on",
            ]) { $1 }
        ) { house in
            let (party, ada) = (try await house.party(), try await house.member("ada@example.com"))
            let answer = try await party.answer(to: ada)
            #expect(answer["iss"] == url && answer["code"] != nil)
            let page = try await ada.get("/.well-known/openid-configuration")
            #expect(page.shows("\"issuer\":\"\(url)\"") && page.shows("\"\(url)/oauth/token\""))
            let login = try await house.visitor().get(party.path())
            #expect(login.location?.hasPrefix("/auth/login?return_to=/auth/oauth/authorize%3Fresume%3D") == true)
        }
    }
}
