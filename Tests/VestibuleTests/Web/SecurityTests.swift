import Foundation
import HTTPTypes
import Logging
import NIOCore
import TestSupport
import Testing

@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct SecurityTests {
    @Test(arguments: [
        "/", "/login", "/signup", "/terms", "/nowhere", "/css/vestibule.css", "/healthz", "/account", "/readyz",
    ])
    func `every response carries the headers`(path: String) async throws {
        try await withHouse([.publicURL: "https://login.example.com", .devExpose: "on"]) { house in
            let headers = try await house.visitor().get(path).headers
            let policy = headers[.contentSecurityPolicy] ?? ""
            #expect(policy.hasPrefix("default-src 'none';") && policy.contains("frame-ancestors 'none'"))
            #expect(policy.contains("; font-src 'self';") && !policy.contains("unsafe"))
            #expect(headers[.xContentTypeOptions] == "nosniff")
            #expect(headers[.strictTransportSecurity] == "max-age=63072000; includeSubDomains")
            for name in [
                "Referrer-Policy", "Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy", "Permissions-Policy",
                "Cache-Control",
            ] {
                let field = try #require(HTTPField.Name(name))
                #expect(headers[values: field].count == 1, "\(name)")
            }
            #expect(headers[.setCookie] == nil)
        }
    }

    @Test(arguments: [
        "/", "/account", "/css/vestibule.css", "/api/auth/session", "/api/auth/openapi.json", "/.well-known/jwks.json",
        "/healthz", "/nowhere",
    ])
    func `no page of another origin may read an answer`(path: String) async throws {
        try await withHouse { house in
            let member = try await house.member("ada@example.com")
            for origin in ["https://evil.example", "null", "http://localhost:8080"] {
                let asked = ["Origin": origin, "Access-Control-Request-Method": "GET"]
                for method in [HTTPRequest.Method.get, .options] {
                    let headers = try await member.send(method, path, headers: asked).headers
                    #expect(!headers.contains { $0.name.canonicalName.hasPrefix("access-control") }, "\(method)")
                    let policy = try #require(HTTPField.Name("Cross-Origin-Resource-Policy"))
                    #expect(headers[policy] == "same-origin", "\(method)")
                }
            }
        }
    }

    @Test(arguments: [
        "/account/x.css", "/account/activity/x.js", "/account.png", "/account%2Fx.css", "/account/;x.css",
    ])
    func `a page with the name of a file behind it is no page`(path: String) async throws {
        try await withHouse { house in
            let page = try await house.member("ada@example.com").get(path)
            #expect(page.status == .notFound && page.headers[.cacheControl] == "no-store")
            #expect(!page.shows("ada@example.com"))
        }
    }

    @Test(arguments: ["X-Forwarded-For", "X-Forwarded-Proto", "Forwarded"])
    func `forwarding headers of a peer that is not trusted are told once`(header: String) async throws {
        for (proxies, count) in [("10.0.0.1", 1), ("127.0.0.1", 0)] {
            try await withHouse([.trustedProxies: proxies]) { house in
                let visitor = house.visitor()
                for _ in 0..<3 { try await visitor.get("/nowhere", headers: [header: "for=192.0.2.7"]) }
                let lines = house.logs.lines.filter { $0.contains("event=proxy_untrusted") }
                #expect(lines.count == count && lines.allSatisfy { $0.contains("VESTIBULE_TRUSTED_PROXIES") })
            }
        }
    }

    @Test(arguments: [
        (["Sec-Fetch-Site": "cross-site"], true), (["Sec-Fetch-Site": "same-site"], true),
        (["Sec-Fetch-Site": "same-origin"], false), (["Sec-Fetch-Site": "none"], false),
        (["Origin": "https://evil.example"], true), (["Origin": "null"], true),
        (["Origin": "http://localhost:8080"], false), (["Origin": "http://localhost:8080.evil.example"], true),
        (["Sec-Fetch-Site": "cross-site", "Origin": "http://localhost:8080"], true),
        (["Sec-Fetch-Site": "same-origin", "Origin": "null"], true), ([:], false),
        (["Sec-Fetch-Site": "same-origin", "Origin": "http://rebound.example:8080"], true),
        (["Sec-Fetch-Site": "none", "Origin": "http://localhost:8081"], true),
        (["Sec-Fetch-Site": "same-origin", "Origin": "http://localhost:8080"], false),
    ])
    func `another site's forms are refused`(headers: [String: String], isRefused: Bool) async throws {
        try await withHouse { house in
            let page = try await house.visitor().post("/login", ["email": "a@b.example"], headers: headers)
            #expect((page.status == .forbidden) == isRefused)
            #expect(house.logs.lines(of: "malicious_csrf").isEmpty != isRefused)
        }
    }

    @Test func `other methods get 405 with Allow`() async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            let put = try await visitor.send(.put, "/login")
            #expect(put.status == .methodNotAllowed && put.headers[.allow] == "GET, HEAD, POST")
            let get = try await visitor.get("/logout")
            #expect(get.status == .methodNotAllowed && get.headers[.allow] == "POST")
            let post = try await visitor.post("/css/vestibule.css", [:])
            #expect(post.status == .methodNotAllowed && post.headers[.allow] == "GET, HEAD")
            #expect(try await visitor.send(.trace, "/").status == .methodNotAllowed)
            #expect(try await visitor.send(.head, "/login").status == .ok)
        }
    }

    @Test(arguments: ["PURGE", "PROPFIND"])
    func `methods of caches and of WebDAV get 405 with Allow`(name: String) async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            let method = try #require(HTTPRequest.Method(name))
            for (path, allow) in [
                ("/login", "GET, HEAD, POST"), ("/logout", "POST"), ("/css/vestibule.css", "GET, HEAD"),
                ("/account/sessions/some/end", "GET, HEAD, POST"),
            ] {
                let page = try await visitor.send(method, path)
                #expect(page.status == .methodNotAllowed && page.headers[.allow] == allow, "\(path)")
            }
            #expect(try await visitor.send(method, "/nowhere").status == .notFound)
        }
    }

    @Test(arguments: ["BREW", "get"])
    func `a word that is no method is refused on every path`(name: String) async throws {
        try await withHouse { house in
            let method = try #require(HTTPRequest.Method(name))
            for path in ["/login", "/logout", "/css/vestibule.css", "/account/sessions/some/end", "/nowhere"] {
                #expect(try await house.visitor().send(method, path).status == .badRequest, "\(path)")
            }
        }
    }

    @Test(arguments: ["/../Package.swift", "/css/../../.env", "/.git/HEAD", "/css/", "/css", "/%2e%2e/data/secret.key"])
    func `nothing but the public files is served`(path: String) async throws {
        try await withHouse { house in
            let page = try await house.visitor().get(path)
            #expect(page.status == .notFound)
        }
    }

    @Test func `pages for everybody have an ETag and cost nothing the second time`() async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            let first = try await visitor.get("/login")
            let etag = try #require(first.headers[.eTag])
            let second = try await visitor.get("/login", headers: ["If-None-Match": etag])
            #expect(second.status == .notModified && second.body.isEmpty)
            let german = try await visitor.get("/login", headers: ["If-None-Match": etag, "Accept-Language": "de"])
            #expect(german.status == .ok && german.headers[.contentLanguage] == "de")
        }
    }

    @Test(arguments: ["/login", "/reset?x=y", "/css/vestibule.css"])
    func `what the browser has already is not sent again`(path: String) async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            let etag = try #require(await visitor.get(path).headers[.eTag])
            for known in [etag, "W/\(etag)", "\"old\", W/\"older\",\(etag)", "*"] {
                let page = try await visitor.get(path, headers: ["If-None-Match": known])
                #expect(page.status == .notModified && page.body.isEmpty, "\(known)")
                #expect(page.headers[.eTag] == etag)
            }
            for other in ["\"old\"", "", "W/\"old\", \"older\"", String(etag.dropLast()), "w/\(etag)"] {
                let page = try await visitor.get(path, headers: ["If-None-Match": other])
                #expect(page.status == .ok && !page.body.isEmpty, "\(other)")
            }
        }
    }

    @Test func `an error shows the request id and nothing else`() async throws {
        try await withHouse(store: BrokenStore()) { house in
            let page = try await house.visitor().logIn(email: "ada@example.com")
            #expect(page.status == .internalServerError)
            let line = try #require(house.logs.lines.first { $0.contains("fault") })
            let id = try #require(line.firstMatch(of: /request_id=(\S+)/)?.output.1)
            #expect(page.shows(String(id)) && !page.shows("BrokenStore"))
        }
    }

    @Test func `logs hold no secret and no full address`() async throws {
        try await withHouse(logLevel: .debug) { house in
            let member = try await house.member("ada.canary@example.com", password: "horse canary battery 17")
            let token = await member.cookies["vestibule"] ?? ""
            try await member.logOut()
            try await member.logIn(email: "ada.canary@example.com", password: "wrong canary")
            for line in house.logs.lines {
                #expect(!line.contains("canary") && !line.contains(token))
            }
            for event in ["user_created", "authn_login_success", "session_logout", "authn_login_fail"] {
                #expect(house.logs.lines(of: event).count == 1, "\(event)")
            }
        }
    }
}
