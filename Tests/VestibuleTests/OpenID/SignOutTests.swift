import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// RP-Initiated Logout: the modules of the conformance plan by their names, and attacks.
@Suite(.timeLimit(.minutes(15)))
struct SignOutTests {
    private static func path(_ fields: [String: String]) -> String {
        "/oauth/logout?"
            + fields.sorted { $0.key < $1.key }.map { "\($0.key)=\(Browser.escaped($0.value))" }.joined(separator: "&")
    }

    private func hint(_ party: RelyingParty, _ browser: Browser) async throws -> String {
        try #require(try await party.signIn(browser).0["id_token"])
    }

    @Test func `rp initiated logout`() async throws {
        try await withParty { party, ada, _ in
            let hint = try await hint(party, ada)
            let page = try await ada.get(
                Self.path([
                    "id_token_hint": hint, "post_logout_redirect_uri": "https://notes.example/bye", "state": "a&b",
                ]))
            #expect(page.status == .seeOther && page.location == "https://notes.example/bye?state=a%26b")
            #expect(try await !ada.isSignedIn())
            // Nobody is signed in any more; the client goes on all the same.
            let again = try await ada.get(
                Self.path(["id_token_hint": hint, "post_logout_redirect_uri": "https://notes.example/bye"]))
            #expect(again.location == "https://notes.example/bye")
        }
    }

    @Test(arguments: [
        "https://evil.example/", "https://notes.example/bye?x=1", "https://notes.example/in",
        "https://notes.example/bye/",
        "//evil.example", "/account", "javascript:alert(1)",
    ])
    func `bad logout redirect uri, query added to it: no open redirect`(redirect: String) async throws {
        try await withParty { party, ada, house in
            let hint = try await hint(party, ada)
            for fields in [["id_token_hint": hint], ["client_id": "notes"]] {
                let page = try await ada.get(
                    Self.path(fields.merging(["post_logout_redirect_uri": redirect, "state": "s"]) { $1 }))
                #expect(page.status == .badRequest && page.location == nil)
            }
            let lines = house.logs.lines(of: "client_refused")
            for line in lines { #expect(line.contains("request_uri=/oauth/logout") && line.contains("error=redirect")) }
            #expect(lines.map { $0.contains("application=notes") } == [true, true])
            #expect(try await ada.isSignedIn())
        }
    }

    @Test func `who is led to an address that is not set up is told of being signed in, and can leave`() async throws {
        try await withParty { party, ada, house in
            let path = Self.path(["client_id": "notes", "post_logout_redirect_uri": "https://evil.example/"])
            let page = try await ada.get(path)
            #expect(page.status == .badRequest && page.shows("signed in as") && page.shows("ada@example.com"))
            let form = ["csrf": page.csrf ?? "", "resume": try page.hidden("resume")]
            #expect(try await ada.post("/oauth/logout", form).location == "/")
            #expect(try await !ada.isSignedIn())
            #expect(try await !ada.get(path).shows("signed in as"))
        }
    }

    @Test(arguments: [
        [:], ["state": "s"], ["client_id": "notes"], ["id_token_hint": "x"], ["id_token_hint": "e30.e30.e30"],
        ["client_id": "notes", "post_logout_redirect_uri": "https://notes.example/bye"],
        // Nobody says whose address it is, as the key of an old token is gone.
        ["id_token_hint": "e30.e30.e30", "post_logout_redirect_uri": "https://evil.example/"],
    ])
    func `no params, only state, no id token hint, bad id token hint: it asks`(fields: [String: String]) async throws {
        try await withParty { _, ada, _ in
            let page = try await ada.get(Self.path(fields))
            #expect(page.status == .ok && page.heading == "Sign out?" && page.shows("ada@example.com"))
            #expect(page.shows("An application asks for this."))
            #expect(try await ada.isSignedIn())
            let form = ["csrf": page.csrf ?? "", "resume": try page.hidden("resume")]
            let forged = try await ada.post(
                "/oauth/logout", form, headers: ["Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"])
            #expect(forged.status == .forbidden)
            let signedIn = try await ada.isSignedIn()
            #expect(signedIn)
            let left = try await ada.post("/oauth/logout", form)
            let isKnown = fields["client_id"] != nil
            #expect(left.location == (isKnown ? fields["post_logout_redirect_uri"] : nil) ?? "/")
            #expect(try await !ada.isSignedIn())
        }
    }

    @Test func `modified id token hint, and one of another session: they prove nothing`() async throws {
        try await withParty { party, ada, house in
            let hint = try await hint(party, ada)
            let parts = hint.split(separator: ".")
            let moved = "\(parts[0]).\(Base64URL.encode(Array("{}".utf8))).\(parts[2])"
            #expect(try await ada.get(Self.path(["id_token_hint": moved])).heading == "Sign out?")
            let other = house.visitor(at: "192.0.2.44")
            try await other.logIn(email: "ada@example.com")
            let asked = try await other.get(Self.path(["id_token_hint": hint]))
            #expect(asked.heading == "Sign out?" && asked.shows("Notes asks for this."))
            #expect(try await other.isSignedIn())
            let wrong = try await ada.get(Self.path(["id_token_hint": hint, "client_id": "wiki"]))
            #expect(wrong.status == .badRequest && wrong.heading?.hasPrefix("This request can") == true)
            #expect(try await ada.isSignedIn())
        }
    }

    @Test func `an id token from when the site had another address proves nothing`() async throws {
        try await withParty { party, ada, house in
            let hint = try await hint(party, ada)
            let claims = String(
                decoding: try #require(Base64URL.decode(String(hint.split(separator: ".")[1]))), as: UTF8.self)
            let keys = SigningKeys(
                store: house.services.store, algorithm: .rs256, secretKey: House.key, now: house.services.now)
            let key = try await keys.signer()
            let moved = claims.replacing("localhost:8080", with: "login.example")
            let old = try key.sign(Array(moved.utf8), type: "JWT")
            let page = try await ada.get(Self.path(["id_token_hint": old]))
            #expect(page.heading == "Sign out?" && !page.shows("Notes asks for this."))
            let signedIn = try await ada.isSignedIn()
            #expect(signedIn)
            let present = try key.sign(Array(claims.utf8), type: "JWT")
            #expect(try await ada.get(Self.path(["id_token_hint": present])).location == "/")
        }
    }

    @Test func `no post logout redirect uri`() async throws {
        try await withParty { party, ada, _ in
            let page = try await ada.get(Self.path(["id_token_hint": try await hint(party, ada)]))
            #expect(page.status == .seeOther && page.location == "/")
            #expect(try await !ada.isSignedIn())
        }
    }

    @Test(arguments: ["id_token_hint", "client_id", "post_logout_redirect_uri"])
    func `an empty parameter is as if it were left out`(name: String) async throws {
        try await withParty { party, ada, _ in
            let fields = [
                "id_token_hint": try await hint(party, ada), "client_id": "notes",
                "post_logout_redirect_uri": "https://notes.example/bye",
            ]
            let page = try await ada.get(Self.path(fields.merging([name: ""]) { $1 }))
            let isAsked = name == "id_token_hint"
            #expect(isAsked ? page.heading == "Sign out?" : page.status == .seeOther, "\(page.heading ?? "")")
            if !isAsked {
                #expect(page.location == (name == "client_id" ? "https://notes.example/bye" : "/"))
            }
        }
    }

    @Test func `a form of the client's page goes on by a redirect, which brings the cookie`() async throws {
        try await withParty { party, ada, house in
            let fields = [
                "id_token_hint": try await hint(party, ada), "post_logout_redirect_uri": "https://notes.example/bye",
            ]
            let sent = try await house.visitor().post(
                "/oauth/logout", fields, headers: ["Origin": "https://notes.example", "Sec-Fetch-Site": "cross-site"])
            let next = try #require(sent.location)
            #expect(next.hasPrefix("/oauth/logout?resume="))
            #expect(try await ada.get(next).location == "https://notes.example/bye")
            #expect(try await !ada.isSignedIn())
        }
    }

    @Test func `a question that is too old, or was never asked, still signs out`() async throws {
        try await withParty { party, ada, house in
            let asked = try await ada.get(
                "/oauth/logout?post_logout_redirect_uri=https://notes.example/bye&client_id=notes")
            house.clock.advance(by: .seconds(3601))
            for resume in [try asked.hidden("resume"), "x"] {
                let page = try await ada.get("/oauth/logout?resume=\(resume)")
                #expect(page.status == .ok && page.shows("action=\"/oauth/logout\""))
            }
            let fields = ["csrf": try #require(asked.csrf), "resume": try asked.hidden("resume")]
            let out = try await ada.post("/oauth/logout", fields)
            #expect(out.leads(to: "/", saying: .signedOut))
            #expect(try await !ada.isSignedIn())
        }
    }

    @Test func `a parameter that comes twice is no address that is not set up`() async throws {
        try await withParty { _, ada, _ in
            let page = try await ada.get("/oauth/logout?state=1&state=2")
            #expect(page.status == .badRequest && page.heading == "This request can&#39;t be read")
        }
    }

    @Test func `in a frame it asks, too`() async throws {
        try await withParty { party, ada, _ in
            let hint = try await hint(party, ada)
            let page = try await ada.get(Self.path(["id_token_hint": hint]), headers: ["Sec-Fetch-Dest": "iframe"])
            #expect(page.status == .ok && page.heading == "Sign out?")
            #expect(try await ada.isSignedIn())
        }
    }

    @Test func `without a client nothing of OpenID Connect is served`() async throws {
        try await withHouse(environment: ["VESTIBULE_APP_NOTES_ORIGINS": "https://notes.example"]) { house in
            for path in ["/.well-known/openid-configuration", "/oauth/authorize", "/oauth/userinfo", "/oauth/logout"] {
                let page = try await house.visitor().get(path)
                #expect(page.status == .notFound)
            }
            let keys = try ReadAssertion.keys(try await house.keySet())
            #expect(keys.map { $0["kty"] } == ["EC"])
        }
    }
}
