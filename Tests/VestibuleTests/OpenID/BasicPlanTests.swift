import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// The modules of the conformance plans Basic OP and Config OP, by their names without `oidcc-`
/// (docs/operating/openid.md has the table).
@Suite(.timeLimit(.minutes(15)))
struct BasicPlanTests {
    @Test func `server`() async throws {
        try await withParty { party, ada, house in
            let answer = try await party.answer(to: ada)
            #expect(answer.to == "https://notes.example/in" && answer["state"] == "s-1")
            #expect(answer["iss"] == "http://localhost:8080" && answer.fields.count == 3)
            let reply = try await party.redeem(answer["code"] ?? "")
            #expect(reply.status == .ok && reply["token_type"] == "Bearer" && reply["expires_in"] == "600")
            #expect(reply["refresh_token"] == nil && reply["scope"] == "openid profile email")
            let token = try await ReadIDToken(reply["id_token"] ?? "", house)
            let (record, start) = (try await house.record(of: ada), Int(house.clock.now.timeIntervalSince1970))
            #expect(token.header["alg"] == "RS256" && token.text("iss") == "http://localhost:8080")
            #expect(token.text("aud") == "notes" && token.text("sub") == record.accountID.rawValue)
            #expect(token.number("iat") == start && token.number("exp") == start + 600)
            #expect(token.number("auth_time") == start && token.text("nonce") == "n-1")
            #expect(token.text("sid") == record.session.id.rawValue && token.list("amr") == ["pwd"])
            #expect(token.text("acr") == "1" && token.text("at_hash")?.utf8.count == 22)
        }
    }

    @Test func `discovery endpoint verification`() async throws {
        try await withParty { _, _, house in
            let page = try await house.visitor().get("/.well-known/openid-configuration")
            #expect(page.status == .ok && page.headers[.contentType] == "application/json")
            let json = try JSONSerialization.jsonObject(with: Data(page.body.utf8)) as? [String: Any] ?? [:]
            #expect(json["issuer"] as? String == "http://localhost:8080")
            for (name, path) in [
                "authorization_endpoint": "/oauth/authorize", "token_endpoint": "/oauth/token",
                "userinfo_endpoint": "/oauth/userinfo", "jwks_uri": "/.well-known/jwks.json",
                "end_session_endpoint": "/oauth/logout", "revocation_endpoint": "/oauth/revoke",
            ] {
                #expect(json[name] as? String == "http://localhost:8080\(path)", "\(name)")
            }
            #expect(json["response_types_supported"] as? [String] == ["code"])
            #expect((json["id_token_signing_alg_values_supported"] as? [String])?.contains("RS256") == true)
            #expect(json["request_uri_parameter_supported"] as? Bool == false && json["registration_endpoint"] == nil)
            let keys = try ReadAssertion.keys(try await house.keySet())
            #expect(keys.map { $0["kty"] } == ["RSA", "EC"])
            #expect(Set(keys[0].keys) == ["kty", "n", "e", "use", "alg", "kid"])
        }
    }

    @Test func `response type missing`() async throws {
        try await withParty { party, ada, _ in
            #expect(try await party.answer(to: ada, ["response_type": nil])["error"] == "invalid_request")
            let other = try await party.answer(to: ada, ["response_type": "code id_token"])
            #expect(other["error"] == "unsupported_response_type" && other["state"] == "s-1")
        }
    }

    @Test(arguments: ["userinfo get", "userinfo post header", "userinfo post body"])
    func `userinfo`(module: String) async throws {
        try await withParty { party, ada, house in
            let (reply, token) = try await party.signIn(ada)
            let access = reply["access_token"] ?? ""
            let bearer = ["Authorization": "Bearer \(access)"]
            let site = house.visitor()
            let page =
                switch module {
                case "userinfo get": try await site.get("/oauth/userinfo", headers: bearer)
                case "userinfo post header": try await site.send(.post, "/oauth/userinfo", headers: bearer)
                default: try await site.post("/oauth/userinfo", ["access_token": access])
                }
            #expect(page.status == .ok && page.headers[.contentType] == "application/json")
            let claims = try JSONSerialization.jsonObject(with: Data(page.body.utf8)) as? [String: Any] ?? [:]
            #expect(claims["sub"] as? String == token.text("sub") && claims["name"] as? String == "Ada Lovelace")
        }
    }

    @Test func `ensure request without nonce succeeds for code flow`() async throws {
        try await withParty { party, ada, _ in
            let (_, token) = try await party.signIn(ada, ["nonce": nil])
            #expect(token.text("nonce") == nil && token.text("sub") != nil)
        }
    }

    @Test(arguments: [
        ("profile", ["name", "locale"]), ("email", ["email", "email_verified"]), ("address", []), ("phone", []),
        ("groups", ["groups"]),
        (
            "profile email address phone groups",
            ["name", "locale", "email", "email_verified", "groups", "preferred_username"]
        ),
    ])
    func `scope`(scope: String, names: [String]) async throws {
        try await withParty { party, ada, _ in
            let (reply, token) = try await party.signIn(ada, ["scope": "openid \(scope)"])
            let page = try await party.userinfo(reply["access_token"])
            let claims = try JSONSerialization.jsonObject(with: Data(page.body.utf8)) as? [String: Any] ?? [:]
            #expect(Set(claims.keys) == Set(names + ["sub"]))
            let own = ["iss", "aud", "sub", "sid", "iat", "exp", "auth_time", "amr", "acr", "nonce", "at_hash"]
            #expect(Set(token.claims.keys) == Set(names + own))
        }
    }

    @Test func `a passkey that a browser made by itself is one factor`() async throws {
        try await withParty { party, ada, house in
            var key = Authenticator(number: 1)
            try await ada.add(&key, byItself: true)
            let visitor = house.visitor()
            #expect(try await visitor.logIn(with: key).location == "/account")
            let (_, token) = try await party.signIn(visitor)
            #expect(token.text("acr") == "1" && token.list("amr") == ["pop"])
        }
    }

    @Test func `the address is the one whose mailbox was proved, its domain in ASCII`() async throws {
        try await withParty { party, _, house in
            // A dotless i, whose upper case is that of another domain's i.
            let (browser, proved) = (house.visitor(), "ada@xn--gmal-nza.example")
            try await browser.signUp(email: "ada@gma\u{131}l.example")
            try await browser.type(code: house.mailbox.code(for: proved))
            let (reply, token) = try await party.signIn(browser, ["scope": "openid profile email"])
            #expect(token.text("email") == proved && token.text("preferred_username") == proved)
            let userinfo = try await party.userinfo(reply["access_token"])
            #expect(userinfo.shows("\"email\":\"\(proved)\""))
        }
    }

    @Test func `alternate happy flow, with other scope order`() async throws {
        try await withParty { party, ada, _ in
            let (reply, _) = try await party.signIn(ada, ["scope": "email  openid profile"])
            #expect(reply["scope"] == "openid profile email")
        }
    }

    @Test(arguments: [
        ["display": "page"], ["display": "popup"], ["ui_locales": "se de"], ["claims_locales": "se"],
        ["acr_values": "1 2"], ["extra": "foobar"], ["login_hint": "ada@example.com"],
        ["claims": #"{"userinfo":{"name":{"essential":true}}}"#],
    ])
    func `display page, display popup, ui locales, claims locales, acr values, unknown parameter, login hint, claims`(
        parameter: [String: String]
    ) async throws {
        try await withParty { party, ada, _ in
            let (_, token) = try await party.signIn(ada, parameter.mapValues { $0 })
            #expect(token.text("nonce") == "n-1")
        }
    }

    @Test(arguments: [false, true])
    func `login hint fills the form`(isPosted: Bool) async throws {
        try await withParty { party, _, house in
            let visitor = house.visitor()
            let path = party.path(["login_hint": "bob@example.com"])
            let query = Array(path.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst())
            let posted = try await visitor.post("/oauth/authorize", raw: query).location
            let asked = isPosted ? try #require(posted) : path
            let login = try #require(try await visitor.get(asked).location)
            let form = try await visitor.get(login)
            #expect(form.shows("value=\"bob@example.com\""))
        }
    }

    @Test func `prompt login`() async throws {
        try await withParty { party, ada, house in
            let (_, first) = try await party.signIn(ada)
            house.clock.advance(by: .seconds(2))
            let asked = try await ada.get(party.path(["prompt": "login"]))
            #expect(asked.heading == "Sign in to Notes again" && asked.shows("ada@example.com"))
            let login = try #require(try await ada.decide("prove", on: asked).location)
            #expect(try await ada.isSignedIn() && login.hasPrefix("/login?again=yes&return_to="))
            let form = try await ada.get(login)
            #expect(form.shows("value=\"ada@example.com\"") && form.headers[.cacheControl] == "no-store")
            let wish = try form.hidden("return_to")
            house.clock.advance(by: .seconds(2))
            let back = try #require(try await ada.logIn(email: "ada@example.com", returnTo: wish).location)
            #expect(await ada.cookies["vestibule-typed"] == nil)
            let code = try #require(try Answer(try await ada.get(back))["code"])
            let token = try await ReadIDToken(try await party.redeem(code)["id_token"] ?? "", house)
            #expect(token.number("auth_time") == (first.number("auth_time") ?? 0) + 4)
            #expect(token.text("sub") == first.text("sub") && token.text("sid") == first.text("sid"))
        }
    }

    @Test func `prompt none not logged in`() async throws {
        try await withParty { party, _, house in
            let answer = try await party.answer(to: house.visitor(), ["prompt": "none"])
            #expect(answer["error"] == "login_required" && answer["state"] == "s-1" && answer["iss"] != nil)
        }
    }

    @Test func `prompt none logged in`() async throws {
        try await withParty { party, ada, _ in
            #expect(try await party.answer(to: ada, ["prompt": "none"])["error"] == "consent_required")
            let (_, first) = try await party.signIn(ada)
            let answer = try Answer(try await ada.get(party.path(["prompt": "none"])))
            let token = try await ReadIDToken(
                try await party.redeem(answer["code"] ?? "")["id_token"] ?? "", party.house)
            #expect(token.text("sub") == first.text("sub") && token.number("auth_time") == first.number("auth_time"))
            #expect(try await party.answer(to: ada, ["prompt": "none login"])["error"] == "invalid_request")
        }
    }

    /// Not of the plan: RFC 6749 section 3.1.
    @Test func `parameters without a value are as if they were left out`() async throws {
        try await withParty { party, ada, _ in
            let names = [
                "max_age", "id_token_hint", "response_mode", "request", "request_uri", "registration", "prompt",
            ]
            let answer = try await party.answer(to: ada, Dictionary(uniqueKeysWithValues: names.map { ($0, "") }))
            #expect(answer["code"] != nil && answer["state"] == "s-1")
        }
    }

    @Test func `max age 1`() async throws {
        try await withParty { party, ada, house in
            _ = try await party.signIn(ada)
            house.clock.advance(by: .seconds(2))
            #expect(try await ada.get(party.path(["max_age": "1"])).heading == "Sign in to Notes again")
            #expect(
                try await party.answer(to: ada, ["max_age": "1", "prompt": "none"])["error"] == "login_required")
            #expect(try await party.answer(to: ada, ["max_age": "-1"])["error"] == "invalid_request")
        }
    }

    @Test func `max age 10000`() async throws {
        try await withParty { party, ada, house in
            let (_, first) = try await party.signIn(ada)
            house.clock.advance(by: .seconds(2))
            let (_, second) = try await party.signIn(ada, ["max_age": "10000"])
            #expect(second.number("auth_time") == first.number("auth_time"))
        }
    }

    @Test func `id token hint`() async throws {
        try await withParty { party, ada, house in
            let (reply, first) = try await party.signIn(ada)
            let hint = reply["id_token"] ?? ""
            let (_, second) = try await party.signIn(ada, ["id_token_hint": hint, "prompt": "none"])
            #expect(second.text("sub") == first.text("sub"))
            let bob = try await house.member("bob@example.com")
            _ = try await party.signIn(bob)
            let other = try await party.answer(to: bob, ["id_token_hint": hint, "prompt": "none"])
            #expect(other["error"] == "login_required")
            try await signInInstead(bob, try await bob.get(party.path(["id_token_hint": hint])), house)
            try await house.change(groups: "ada@example.com", adding: ["staff"])
            let wiki = try await house.party("wiki")
            let code = try await wiki.code(ada, RelyingParty.pkce)
            let others = try await wiki.redeem(code, ["code_verifier": RelyingParty.verifier])["id_token"] ?? ""
            for wrong in [hint + "x", others] {
                let answer = try await party.answer(to: ada, ["id_token_hint": wrong])
                #expect(answer["error"] == "invalid_request")
            }
        }
    }

    /// With the account that he has, where the application expects another one.
    private func signInInstead(_ bob: Browser, _ page: Page, _ house: House) async throws {
        #expect(page.heading == "Sign in to Notes again" && page.shows("Notes expects another account"))
        let login = try #require(try await bob.decide("prove", on: page).location)
        let form = try await bob.get(login)
        #expect(!form.shows("value=\"bob@example.com\""))
        house.clock.advance(by: .seconds(2))
        let wish = try form.hidden("return_to")
        let back = try #require(try await bob.logIn(email: "bob@example.com", returnTo: wish).location)
        let answer = try Answer(try await bob.get(back))
        #expect(answer["error"] == "login_required" && answer["state"] == "s-1")
    }

    @Test(arguments: [1, 31])
    func `codereuse, and after 30 seconds`(seconds: Int) async throws {
        try await withParty { party, ada, house in
            let code = try await party.code(ada, ["scope": "openid offline_access"])
            let first = try await party.redeem(code)
            #expect(try await party.opens(first["access_token"]))
            house.clock.advance(by: .seconds(seconds))
            let second = try await party.redeem(code)
            #expect(second.status == .badRequest && second["error"] == "invalid_grant")
            #expect(try await !party.opens(first["access_token"]))
            #expect(try await party.refresh(first["refresh_token"] ?? "")["error"] == "invalid_grant")
            #expect(try await house.events(of: "ada@example.com").first?.kind == .codeReplayed)
            #expect(house.logs.lines(of: "authn_token_reuse").count == 1)
        }
    }

    @Test func `ensure registered redirect uri`() async throws {
        try await withParty { party, ada, _ in
            let page = try await ada.get(party.path(["redirect_uri": "https://notes.example/other"]))
            #expect(page.status == .badRequest && page.location == nil)
            #expect(page.heading == "This address isn&#39;t set up" && page.shows("mention this reference"))
            let missing = try await ada.get(party.path(["redirect_uri": nil]))
            #expect(missing.status == .badRequest && missing.location == nil)
        }
    }

    @Test func `redirect uri with a query`() async throws {
        try await withParty { party, ada, _ in
            _ = try await party.signIn(ada)
            let page = try await ada.get(party.path(["redirect_uri": "https://notes.example/in?from=site"]))
            #expect(page.location?.hasPrefix("https://notes.example/in?from=site&code=") == true)
        }
    }

    @Test func `ensure post request succeeds`() async throws {
        try await withParty { party, ada, _ in
            let fields = try Answer(Page(status: .seeOther, headers: [.location: party.path()], body: "")).fields
            // The client's page sends the form: no cookie of ours comes along.
            let stranger = party.house.visitor()
            let other = ["Origin": "https://notes.example", "Sec-Fetch-Site": "cross-site"]
            let back = try #require(try await stranger.post("/oauth/authorize", fields, headers: other).location)
            #expect(back.hasPrefix("/oauth/authorize?resume="))
            let answer = try Answer(try await ada.decide(on: try await ada.get(back)))
            #expect(answer["code"] != nil && answer["state"] == "s-1")
        }
    }

    @Test func `server client secret post`() async throws {
        try await withParty { party, ada, house in
            let code = try await party.code(ada)
            let fields = [
                "grant_type": "authorization_code", "code": code, "redirect_uri": party.redirect,
                "client_id": "notes", "client_secret": party.secret ?? "",
            ]
            #expect(try await house.visitor().post("/oauth/token", fields).status == .ok)
        }
    }

    @Test(arguments: [
        ["request": "eyJhbGciOiJub25lIn0.e30."], ["request_uri": "https://notes.example/request"],
        ["registration": "{}"],
    ])
    func `unsigned request object, and request object with redirect uri`(parameter: [String: String]) async throws {
        try await withParty { party, ada, _ in
            let answer = try await party.answer(to: ada, parameter.mapValues { $0 })
            #expect(answer["error"] == "\(parameter.keys.first ?? "")_not_supported")
        }
    }

    @Test func `refresh token`() async throws {
        try await withParty { party, ada, house in
            let (first, before) = try await party.signIn(ada, ["scope": "openid email offline_access"])
            house.clock.advance(by: .seconds(601))
            #expect(try await !party.opens(first["access_token"]))
            let second = try await party.refresh(first["refresh_token"] ?? "")
            #expect(second.status == .ok && second["refresh_token"] != first["refresh_token"])
            #expect(try await party.opens(second["access_token"]) && second["scope"] == "openid email offline_access")
            let after = try await ReadIDToken(second["id_token"] ?? "", house)
            for name in ["iss", "sub", "aud", "sid"] { #expect(after.text(name) == before.text(name)) }
            #expect(after.number("auth_time") == before.number("auth_time"))
            #expect(after.number("iat") == (before.number("iat") ?? 0) + 601 && after.text("nonce") == nil)
        }
    }

    @Test func `ensure request with valid pkce succeeds`() async throws {
        try await withParty { party, ada, _ in
            let code = try await party.code(ada, RelyingParty.pkce)
            #expect(try await party.redeem(code, ["code_verifier": RelyingParty.verifier]).status == .ok)
        }
    }

    @Test func `server rotate keys`() async throws {
        try await withParty { party, ada, house in
            let (_, first) = try await party.signIn(ada)
            let rotation = KeyRotation(
                store: house.services.store, secretKey: house.services.secretKey, author: house.services.author)
            #expect(try await rotation.algorithms() == [.es256, .rs256])
            let next = try #require(try await rotation.rotate(.rs256))
            house.clock.advance(by: .seconds(40))
            #expect(try await party.signIn(ada).1.header["kid"] == first.header["kid"])
            let published = try ReadAssertion.keys(try await house.keySet()).compactMap { $0["kid"] }
            #expect(published.contains(next.id))
        }
    }
}
