import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct TokenEndpointTests {
    private func basic(_ id: String, _ secret: String) -> [String: String] {
        ["Authorization": "Basic \(Data("\(id):\(secret)".utf8).base64EncodedString())"]
    }

    @Test func `a wrong secret, none, and another client's get nothing`() async throws {
        try await withParty { party, ada, house in
            let (code, wiki) = (try await party.code(ada), try await house.party("wiki"))
            let fields = ["grant_type": "authorization_code", "code": code, "redirect_uri": party.redirect]
            let server = house.visitor()
            for (id, secret) in [("notes", "x"), ("notes", ""), ("notes", wiki.secret ?? ""), ("nobody", "x")] {
                let page = try await server.post("/oauth/token", fields, headers: basic(id, secret))
                #expect(page.status == .unauthorized && page.shows("\"error\":\"invalid_client\""), "\(id)")
                #expect(page.headers[.wwwAuthenticate] == "Basic realm=\"vestibule\"")
            }
            for extra in [["client_id": "notes"], [:], ["client_id": "phone", "client_secret": "x"]] {
                let page = try await server.post("/oauth/token", fields.merging(extra) { $1 })
                #expect(page.status == .unauthorized && page.shows("invalid_client"))
                #expect(page.headers[.wwwAuthenticate] == "Basic realm=\"vestibule\"")
            }
            #expect(try await party.redeem(code).status == .ok)
        }
    }

    @Test func `secrets belong into the body or the header, once`() async throws {
        try await withParty { party, ada, house in
            let (code, secret) = (try await party.code(ada), party.secret ?? "")
            let fields = ["grant_type": "authorization_code", "code": code, "redirect_uri": party.redirect]
            let server = house.visitor()
            let inURL = try await server.post("/oauth/token?client_id=notes&client_secret=\(secret)", fields)
            #expect(inURL.status == .badRequest && inURL.shows("invalid_request"))
            let twice = try await server.post(
                "/oauth/token", fields.merging(["client_secret": secret]) { $1 }, headers: basic("notes", secret))
            #expect(twice.status == .badRequest && twice.shows("invalid_request"))
            let other = try await server.post(
                "/oauth/token", fields.merging(["client_id": "wiki"]) { $1 }, headers: basic("notes", secret))
            #expect(other.status == .unauthorized)
            let raw = Array("grant_type=authorization_code&code=\(code)&code=\(code)".utf8)
            let doubled = try await server.post("/oauth/token", raw: raw, headers: basic("notes", secret))
            #expect(doubled.status == .badRequest && doubled.shows("invalid_request"))
            let got = try await server.get("/oauth/token")
            #expect(got.status == .methodNotAllowed && got.shows("invalid_request") && got.headers[.allow] == "POST")
            let foreign = try await server.post(
                "/oauth/token", fields, headers: ["Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"])
            #expect(foreign.status == .forbidden && foreign.shows("a page of another site may not send this"))
            let json = try await server.send(
                .post, "/oauth/token",
                headers: ["Content-Type": "application/json"].merging(basic("notes", secret)) { $1 })
            #expect(json.status == .badRequest && json.shows("send application/x-www-form-urlencoded"))
            let large = try await server.post(
                "/oauth/token", ["code": String(repeating: "x", count: 70_000)], headers: basic("notes", secret))
            #expect(large.status == .contentTooLarge && large.shows("the body is too large"))
            for (grant, error) in [
                ("password", "unsupported_grant_type"), ("client_credentials", "unsupported_grant_type"),
                ("", "invalid_request"),
            ] {
                let page = try await server.post(
                    "/oauth/token", ["grant_type": grant, "username": "ada@example.com"],
                    headers: basic("notes", secret))
                #expect(page.status == .badRequest && page.shows(error))
            }
        }
    }

    @Test func `what is missing is named`() async throws {
        try await withParty { party, _, house in
            let fields = [
                "grant_type": "authorization_code", "code": "x", "redirect_uri": party.redirect,
                "refresh_token": "x", "token": "x",
            ]
            for (path, grant, name) in [
                ("token", "authorization_code", "code"), ("token", "authorization_code", "redirect_uri"),
                ("token", "refresh_token", "refresh_token"), ("token", "", "grant_type"), ("revoke", "", "token"),
            ] {
                let sent = fields.merging(["grant_type": grant]) { $1 }.merging([name: ""]) { $1 }
                let page = try await house.visitor().post(
                    "/oauth/\(path)", sent, headers: basic("notes", party.secret ?? ""))
                #expect(page.status == .badRequest && page.shows("\"error\":\"invalid_request\""), "\(name)")
                #expect(page.shows("\"error_description\":\"\(name) is missing\""))
            }
        }
    }

    @Test func `the log names the application that is refused and why, and no secret`() async throws {
        try await withParty(id: "wiki") { party, ada, house in
            let secret = try #require(party.secret)
            let server = house.visitor()
            _ = try await server.post("/oauth/token", ["grant_type": "x"], headers: basic("wiki", "wrong"))
            _ = try await server.post("/oauth/revoke", ["token": "x"], headers: basic(secret, "wiki"))
            _ = try await party.redeem("spent-code")
            _ = try await ada.get(party.path())
            _ = try await ada.get(party.path(["redirect_uri": "https://wiki.example/out?code=spent-code"]))
            _ = try await ada.get(
                party.path(["client_id": secret, "redirect_uri": "https://wiki.example/out#spent-code"]))
            _ = try await ada.get(party.path(["client_id": "Wiki", "redirect_uri": "https://a@b.example/spent-code"]))
            let lines = house.logs.lines(of: "client_refused")
            for (line, facts) in zip(
                lines,
                [
                    ["application=wiki", "error=invalid_client", "request_uri=/oauth/token", "wrong secret"],
                    ["application=unknown", "error=invalid_client", "request_uri=/oauth/revoke"],
                    ["application=wiki", "error=invalid_grant", "reason=unknown, spent, expired"],
                    ["application=wiki", "error=invalid_request", "reason=code_challenge is missing"],
                    ["application=wiki", "error=redirect", "redirect_uri=https://wiki.example/out "],
                    ["application=unknown", "error=client", "redirect_uri=https://wiki.example/out "],
                    ["application=wiki", "error=client"],
                ])
            {
                for fact in facts + ["request_id="] { #expect(line.contains(fact), "\(fact) in \(line)") }
                #expect(!line.contains(secret) && !line.contains("spent-code"))
            }
            #expect(lines.count == 7)
        }
    }

    @Test(arguments: ["/oauth/authorize", "/oauth/logout", "/oauth/token", "/oauth/revoke"])
    func `the log names a body that cannot be read`(path: String) async throws {
        try await withParty { _, ada, house in
            _ = try await ada.post(path, raw: Array("state=1&state=2".utf8))
            _ = try await ada.send(.post, path, headers: ["Content-Type": "application/json"])
            let chunk = "11170\r\n\(String(repeating: "x", count: 70_000))\r\n0\r\n\r\n"
            _ = try await RawConnection.exchange(
                "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                    + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n\(chunk)", with: house)
            let lines = house.logs.lines(of: "client_refused")
            #expect(lines.count == 3, "\(lines)")
            for line in lines { #expect(line.contains("request_uri=\(path)")) }
        }
    }

    @Test func `two secrets may be valid, a third is refused, and a revoked one opens nothing`() async throws {
        try await withParty { party, ada, house in
            let secrets = ClientSecrets(store: house.services.store, author: house.services.author)
            let made = try await secrets.create(for: "notes")
            let second = try #require(made)
            let third = try await secrets.create(for: "notes")
            #expect(third == nil)
            let first = try #require(try await secrets.list("notes").first { $0.id != second.id })
            let other = RelyingParty(
                house: house, id: "notes", secret: second.secret.text, redirect: party.redirect)
            #expect(try await party.redeem(try await party.code(ada)).status == .ok)
            #expect(try await other.redeem(try await party.code(ada)).status == .ok)
            #expect(try await !secrets.revoke(id: first.id, of: "wiki"))
            #expect(try await secrets.revoke(id: first.id, of: "notes"))
            #expect(try await party.redeem(try await party.code(ada)).status == .unauthorized)
            #expect(try await other.redeem(try await party.code(ada)).status == .ok)
        }
    }

    @Test func `after sixty wrong secrets an address waits, others do not`() async throws {
        try await withParty { party, ada, house in
            let guesser = house.visitor(at: "203.0.113.9")
            for _ in 0..<60 {
                let page = try await guesser.post("/oauth/token", ["grant_type": "x"], headers: basic("notes", "x"))
                #expect(page.status == .unauthorized)
            }
            let page = try await guesser.post("/oauth/token", ["grant_type": "x"], headers: basic("notes", "x"))
            #expect(page.status == .tooManyRequests && Int(page["Retry-After"] ?? "") ?? 0 > 0)
            #expect(try await party.redeem(try await party.code(ada)).status == .ok)
            // The right secret is taken from that address, too.
            let fields = ["grant_type": "authorization_code", "code": "x", "redirect_uri": party.redirect]
            #expect(try await party.token(fields, at: "203.0.113.9")["error"] == "invalid_grant")
        }
    }

    @Test func `where logins have no limit, wrong secrets have none`() async throws {
        try await withParty([.limitLogin: "off"]) { _, _, house in
            for _ in 0..<70 {
                let page = try await house.visitor().post(
                    "/oauth/token", ["grant_type": "x"], headers: basic("notes", "x"))
                #expect(page.status == .unauthorized)
            }
        }
    }

    @Test func `after sixty wrong codes of a public client a right one waits, too`() async throws {
        try await withParty(id: "phone") { party, ada, _ in
            let verifier = ["code_verifier": RelyingParty.verifier]
            for _ in 0..<60 { #expect(try await party.redeem("x", verifier)["error"] == "invalid_grant") }
            #expect(try await party.redeem("x", verifier).status == .tooManyRequests)
            let code = try await party.code(ada, RelyingParty.pkce)
            #expect(try await party.redeem(code, verifier).status == .tooManyRequests)
        }
    }

    @Test func `visitors who send an application wrong codes do not shut it out`() async throws {
        try await withParty { party, ada, _ in
            for _ in 0..<70 {
                let refused = try await party.redeem("x")
                #expect(refused["error"] == "invalid_grant")
            }
            #expect(try await party.redeem(try await party.code(ada)).status == .ok)
        }
    }

    @Test func `a public client has no secret, and one that comes is refused`() async throws {
        try await withParty(id: "phone") { party, ada, house in
            let code = try await party.code(ada, RelyingParty.pkce)
            let fields = [
                "grant_type": "authorization_code", "code": code, "redirect_uri": party.redirect, "client_id": "phone",
                "code_verifier": RelyingParty.verifier,
            ]
            let page = try await house.visitor().post("/oauth/token", fields.merging(["client_secret": "x"]) { $1 })
            #expect(page.status == .unauthorized)
            // An empty one is as if it were left out (RFC 6749 sections 2.3.1 and 3.2).
            let empty = try await house.visitor().post("/oauth/token", fields.merging(["client_secret": ""]) { $1 })
            #expect(empty.status == .ok)
        }
    }

    @Test func `an ID token by ES256 where the settings say so`() async throws {
        try await withParty(id: "wiki") { party, ada, house in
            try await house.change(groups: "ada@example.com", adding: ["staff"])
            let code = try await party.code(ada, RelyingParty.pkce.merging(["scope": "openid groups"]) { $1 })
            let reply = try await party.redeem(code, ["code_verifier": RelyingParty.verifier])
            let token = try await ReadIDToken(reply["id_token"] ?? "", house)
            #expect(token.header["alg"] == "ES256" && token.list("groups") == ["staff"] && token.text("aud") == "wiki")
        }
    }

    @Test(arguments: ["sign-out", "password", "disabled", "groups", "revoked", "ten minutes"])
    func `an access token ends`(cause: String) async throws {
        try await withParty { party, ada, house in
            let (reply, _) = try await party.signIn(ada)
            #expect(try await party.opens(reply["access_token"]))
            switch cause {
            case "sign-out": try await ada.logOut()
            case "password": try await Self.changePassword(house.visitor(), house)
            case "disabled":
                let account = try await house.account("ada@example.com")
                #expect(try await Administration(services: house.services).disable(account))
            case "groups":
                let wiki = try await house.party("wiki")
                try await house.change(groups: "ada@example.com", adding: ["staff"])
                let code = try await wiki.code(ada, RelyingParty.pkce)
                let other = try await wiki.redeem(code, ["code_verifier": RelyingParty.verifier])
                #expect(try await party.opens(other["access_token"]))
                try await house.change(groups: "ada@example.com", removing: ["staff"])
                #expect(try await !party.opens(other["access_token"]))
                return
            case "revoked":
                let wrong = try await house.visitor().post(
                    "/oauth/revoke", ["token": reply["access_token"] ?? ""],
                    headers: basic("wiki", try await house.party("wiki").secret ?? ""))
                let stays = try await party.opens(reply["access_token"])
                #expect(wrong.status == .ok && stays)
                let page = try await house.visitor().post(
                    "/oauth/revoke", ["token": reply["access_token"] ?? ""], headers: basic("notes", party.secret ?? "")
                )
                #expect(page.status == .ok)
            default: house.clock.advance(by: .seconds(600))
            }
            let refused = try await party.userinfo(reply["access_token"])
            #expect(refused.status == .unauthorized)
            #expect(refused.headers[.wwwAuthenticate]?.contains("error=\"invalid_token\"") == true)
        }
    }

    @Test func `an access token ends with a session that was not used for too long`() async throws {
        try await withParty([.sessionIdle: "5m"]) { party, ada, house in
            let access = try await party.signIn(ada).0["access_token"]
            house.clock.advance(by: .seconds(299))
            #expect(try await party.opens(access))
            house.clock.advance(by: .seconds(1))
            #expect(try await party.userinfo(access).status == .unauthorized)
        }
    }

    @Test func `a code is worth nothing once the group that let its owner in is taken away`() async throws {
        try await withParty(id: "wiki") { party, ada, house in
            try await house.change(groups: "ada@example.com", adding: ["staff"])
            let code = try await party.code(ada, RelyingParty.pkce)
            try await house.change(groups: "ada@example.com", removing: ["staff"])
            let reply = try await party.redeem(code, ["code_verifier": RelyingParty.verifier])
            #expect(reply["error"] == "invalid_grant" && reply["access_token"] == nil)
        }
    }

    static func changePassword(_ browser: Browser, _ house: House) async throws {
        try await browser.logIn(email: "ada@example.com")
        let changed = try await browser.post(
            "/account/password",
            [
                "csrf": await browser.get("/account/password").csrf ?? "", "current_password": Browser.goodPassword,
                "password": "gravel lantern orbit", "password_confirmation": "gravel lantern orbit",
            ])
        #expect(changed.status == .seeOther)
    }

    @Test func `userinfo takes a token by the header or the body, once, and never from the URL`() async throws {
        try await withParty { party, ada, house in
            let access = try await party.signIn(ada).0["access_token"] ?? ""
            let site = house.visitor()
            let none = try await site.get("/oauth/userinfo?access_token=\(access)")
            #expect(none.status == .unauthorized && none.headers[.wwwAuthenticate] == "Bearer realm=\"vestibule\"")
            let twice = try await site.post(
                "/oauth/userinfo", ["access_token": access], headers: ["Authorization": "Bearer \(access)"])
            #expect(twice.status == .badRequest)
            for raw in [
                "access_token=\(access)&access_token=\(access)", "access_token=%ZZ",
                String(repeating: "x", count: 70_000),
            ] {
                for headers in [[:], ["Authorization": "Bearer \(access)"]] {
                    let refused = try await site.post("/oauth/userinfo", raw: Array(raw.utf8), headers: headers)
                    #expect(refused.status == .badRequest, "\(raw.prefix(80))")
                    #expect(refused.headers[.wwwAuthenticate]?.contains("error=\"invalid_request\"") == true)
                }
            }
            // A body of another type carries no token.
            let json = try await site.post(
                "/oauth/userinfo", raw: Array("{}".utf8),
                headers: ["Authorization": "Bearer \(access)", "Content-Type": "application/json"])
            #expect(json.status == .ok)
            let session = await ada.cookies["vestibule"] ?? ""
            #expect(try await !party.opens(session))
            #expect(try await site.get("/account", headers: ["Authorization": "Bearer \(access)"]).status == .seeOther)
        }
    }
}
