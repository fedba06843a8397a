import Foundation
import HTTPTypes
import Hummingbird
import TestSupport
import Testing

@testable import Essentials
@testable import Serving
@testable import Vestibule

/// Any OpenID provider: the code flow, sign-up, and everything that must not be believed.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct ProviderSignInTests {
    private static let sentence = "We couldn&#39;t complete that sign-in. Please try again."

    private func withProvider(
        itsOwn: Bool = false, _ test: @escaping @Sendable (House, ProviderStandIn) async throws -> Void
    ) async throws {
        let standIn = try await itsOwn ? ProviderStandIn.start() : ProviderStandIn.shared.value
        let clock = TestClock(Date())
        try await withHouse([.limitLogin: "off", .limitSignup: "off"], clock: clock, environment: standIn.example) {
            try await test($0, standIn)
        }
    }

    /// Nothing was made, and the visitor and the log were told.
    private func expectRefused(_ page: Page, _ house: House, saying reason: String = "reason=") async throws {
        #expect(page.leads(to: "/login", saying: .providerFailed))
        let login = try await house.services.store.loginRecord(emailKey: "ada@example.com", failuresKey: [])
        #expect(login.account == nil)
        let lines =
            house.logs.lines(of: "authn_provider_rejected") + house.logs.lines(of: "authn_provider_unavailable")
        #expect(lines.contains { $0.contains(reason) }, "\(lines)")
    }

    private func callback(_ asked: Browser.Asked) throws -> String {
        let person = ProviderStandIn.Person(nonce: asked.nonce, challenge: asked.fields["code_challenge"])
        return "/auth/example/callback?state=\(asked.state)&code=\(try ProviderStandIn.code(person))"
    }

    @Test func `somebody new accepts the terms and has an account with name and proved address`() async throws {
        try await withProvider { house, standIn in
            let visitor = house.visitor()
            let asked = try await visitor.startSignIn("/auth/example?return_to=/account/email")
            #expect(asked.url.hasPrefix("\(standIn.base)/auth/authorize?"))
            #expect(asked.fields["code_challenge_method"] == "S256" && asked.fields["response_type"] == "code")
            #expect(asked.fields["redirect_uri"] == "http://localhost:8080/auth/example/callback")
            #expect(asked.fields["scope"] == "openid email profile")
            let person = ProviderStandIn.Person(nonce: asked.nonce, challenge: asked.fields["code_challenge"])
            let code = try ProviderStandIn.code(person)
            let page = try await visitor.get("/auth/example/callback?state=\(asked.state)&code=\(code)")
            #expect(page.location == "/auth/continue")
            #expect(try await visitor.get("/auth/continue").shows("Your account will use ada@example.com."))
            let refused = try await visitor.post("/auth/continue", ["display_name": ""])
            #expect(refused.status == .unprocessableContent && refused.shows("Accept the terms to continue."))
            #expect(try await visitor.acceptAndContinue().location == "/account/email")
            #expect(try await visitor.get("/account").shows("Hello, Ada Lovelace."))
            let account = try await house.services.store.loginRecord(emailKey: "ada@example.com", failuresKey: [])
            #expect(account.account?.verifiedAt != nil && account.passwordHash == nil)
            #expect(account.account?.termsVersion == "1")
        }
    }

    @Test func `a sign-up through a provider counts like any other`() async throws {
        try await withProviders([.limitSignup: "1/h/ip"]) { house, _ in
            try await house.visitor().signUpThroughExample()
            let other = house.visitor()
            try await other.comeFromExample(.init(sub: "another", email: "b@example.com"))
            #expect(try await other.acceptAndContinue().status == .tooManyRequests)
            #expect(try await !other.isSignedIn())
        }
    }

    @Test func `the same person is signed in the next time, whatever their address is by then`() async throws {
        try await withProvider { house, _ in
            try await house.visitor().signUpThroughExample()
            let again = house.visitor()
            #expect(try await again.comeFromExample(.init(email: "new@example.org")).location == "/account")
            #expect(try await again.get("/account").shows("ada@example.com"))
            let other = house.visitor()
            #expect(
                try await other.comeFromExample(.init(sub: "another", email: "b@example.com")).location
                    == "/auth/continue")
        }
    }

    @Test func `a disabled account is not opened by its provider`() async throws {
        try await withProvider { house, _ in
            try await house.visitor().signUpThroughExample()
            let login = try await house.services.store.loginRecord(emailKey: "ada@example.com", failuresKey: [])
            let account = try #require(login.account)
            let administration = Administration(services: house.services)
            #expect(try await administration.disable(account))
            let visitor = house.visitor()
            #expect(try await visitor.comeFromExample().leads(to: "/login", saying: .providerFailed))
            #expect(try await !visitor.isSignedIn())
            #expect(try await administration.enable(account))
            try await visitor.comeFromExample()
            #expect(try await visitor.isSignedIn())
        }
    }

    @Test func `twenty parallel first sign-ins make one account, and all are signed in`() async throws {
        try await withProvider { house, _ in
            let visitors = (0..<20).map { _ in house.visitor() }
            for visitor in visitors {
                #expect(try await visitor.comeFromExample().location == "/auth/continue")
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for visitor in visitors { group.addTask { try await visitor.acceptAndContinue() } }
                try await group.waitForAll()
            }
            for visitor in visitors { #expect(try await visitor.isSignedIn()) }
            #expect(try await house.events(of: "ada@example.com").count { $0.kind == .signup } == 1)
        }
    }

    @Test(
        arguments: [
            "none", "hs256", "kid", "signature", "jwk", "jku", "crit", "iss", "aud", "azp", "azp_alone", "noazp",
            "nonce", "expired", "nbf", "future", "old", "long", "huge",
        ]
    )
    func `a token that lies makes nothing`(lie: String) async throws {
        try await withProvider { house, _ in
            let visitor = house.visitor()
            try await expectRefused(try await visitor.comeFromExample(.init(lie: lie)), house)
            #expect(try await visitor.get("/login").shows(Self.sentence))
            #expect(try await visitor.get("/auth/continue").leads(to: "/login", saying: .providerFailed))
        }
    }

    @Test func `a token that names no key is fine while the provider has one key, not when it has two`() async throws {
        try await withProvider(itsOwn: true) { house, standIn in
            let page = try await house.visitor().comeFromExample(.init(lie: "nokid"))
            #expect(page.location == "/auth/continue")
            try await standIn.tell(["rotate": true])
            house.clock.advance(by: .seconds(61))
            try await expectRefused(try await house.visitor().comeFromExample(.init(lie: "nokid")), house)
        }
    }

    @Test func `an audience in a list is fine when the token was given to us`() async throws {
        try await withProvider { house, _ in
            let page = try await house.visitor().comeFromExample(.init(lie: "list"))
            #expect(page.location == "/auth/continue")
        }
    }

    @Test func `a token beyond 16 KiB is refused, and one just below is not`() async throws {
        try await withProvider { house, _ in
            let large = ProviderStandIn.Person(lie: "huge", size: 10_000)
            #expect(try await house.visitor().comeFromExample(large).location == "/auth/continue")
            let larger = ProviderStandIn.Person(lie: "huge", size: 13_000)
            try await expectRefused(try await house.visitor().comeFromExample(larger), house)
            #expect(house.logs.lines(of: "authn_provider_rejected").contains { $0.contains("token too large") })
            try await expectRefused(try await house.visitor().comeFromExample(.init(lie: "huge")), house)
            let lines = house.logs.lines(of: "authn_provider_unavailable")
            #expect(lines.contains { $0.contains("the answer is larger than 1 MiB") })
        }
    }

    @Test func `somebody else's state, no start, and a second callback are refused`() async throws {
        try await withProvider { house, _ in
            let (attacker, victim) = (house.visitor(), house.visitor())
            let theirs = try await attacker.startSignIn("/auth/example")
            _ = try await victim.startSignIn("/auth/example")
            let callback = try callback(theirs)
            try await expectRefused(try await victim.get(callback), house)
            try await expectRefused(try await house.visitor().get(callback), house)
            try await expectRefused(try await house.visitor().get("/auth/example/callback"), house)
            let cookie = await attacker.cookies["vestibule-auth"]
            #expect(try await attacker.get(callback).location == "/auth/continue")
            await attacker.set("vestibule-auth", cookie ?? "")
            let again = try await attacker.get(try self.callback(theirs))
            try await expectRefused(again, house, saying: "answered before")
        }
    }

    @Test func `a token is good for one flow, even beside another one with its nonce`() async throws {
        let site = SiteCookies(publicURL: try #require(Origin("http://localhost:8080")))
        let cookies = AuthCookie(cookies: site, key: House.key)
        try await withProvider { house, _ in
            @Sendable func come(_ state: String) async throws -> Page {
                let now = house.clock.now
                let flow = AuthFlow(
                    provider: "example", state: state, nonce: "n", verifier: "v", returnTo: nil,
                    purpose: .signIn(replacing: nil), remember: nil, page: nil, clientMaxAge: nil,
                    expiresAt: now + 600)
                let visitor = house.visitor()
                await visitor.set("vestibule-auth", try cookies.set(.flow(flow)).value)
                let code = try ProviderStandIn.code(.init(nonce: "n", at: Int(now.timeIntervalSince1970)))
                return try await visitor.get("/auth/example/callback?state=\(state)&code=\(code)")
            }
            #expect(try await come("first").location == "/auth/continue")
            try await expectRefused(try await come("second"), house, saying: "token used before")
        }
    }

    @Test func `where the provider names itself in each answer, one that does not is refused`() async throws {
        try await withProvider(itsOwn: true) { house, standIn in
            try await standIn.tell(["says": ["authorization_response_iss_parameter_supported": true]])
            let visitor = house.visitor()
            let unnamed = try callback(try await visitor.startSignIn("/auth/example"))
            try await expectRefused(try await visitor.get(unnamed), house, saying: "the answer names no issuer")
            let named = try callback(try await visitor.startSignIn("/auth/example"))
            let page = try await visitor.get("\(named)&iss=\(Browser.escaped(standIn.base))")
            #expect(page.location == "/auth/continue")
        }
    }

    @Test(arguments: [
        ["id_token_signing_alg_values_supported": ["ES256"]],
        ["token_endpoint_auth_methods_supported": ["client_secret_post"]],
    ])
    func `a provider that knows only ES256, or the secret only in the form, is signed in through`(
        says: [String: [String]]
    ) async throws {
        try await withProvider(itsOwn: true) { house, standIn in
            try await standIn.tell(["says": says])
            #expect(try await house.visitor().comeFromExample().location == "/auth/continue")
        }
    }

    @Test func `an answer of another issuer, a tampered cookie and a code for another verifier are refused`()
        async throws
    {
        try await withProvider { house, _ in
            let visitor = house.visitor()
            let asked = try await visitor.startSignIn("/auth/example")
            let mixed = try await visitor.get("\(try callback(asked))&iss=https%3A%2F%2Fevil.example")
            try await expectRefused(mixed, house, saying: "the answer names another issuer")
            let next = try await visitor.startSignIn("/auth/example")
            let code = try ProviderStandIn.code(.init(nonce: next.nonce, challenge: "another"))
            try await expectRefused(
                try await visitor.get("/auth/example/callback?state=\(next.state)&code=\(code)"), house,
                saying: "the token endpoint answered 400: invalid_grant")
            let third = try await visitor.startSignIn("/auth/example")
            let cookie = await visitor.cookies["vestibule-auth"] ?? ""
            await visitor.set("vestibule-auth", String(cookie.dropLast(4)) + "AAAA")
            try await expectRefused(try await visitor.get(try callback(third)), house)
        }
    }

    @Test(
        arguments: [
            ("server_error", "the provider said no: server_error"), ("a%20b", "the provider said no"),
            ("%C3%A9", "the provider said no"), (String(repeating: "x", count: 65), "the provider said no"),
        ])
    func `the log has the code of a refusal, if it is one`(error: String, reason: String) async throws {
        try await withProvider { house, _ in
            let visitor = house.visitor()
            let asked = try await visitor.startSignIn("/auth/example")
            try await expectRefused(
                try await visitor.get("/auth/example/callback?state=\(asked.state)&error=\(error)"), house)
            let lines = house.logs.lines(of: "authn_provider_rejected")
            #expect(lines.contains { $0.contains("reason=\(reason) request_id=") })
        }
    }

    @Test(arguments: [("signature", "wrong signature"), ("numbered", "claims unreadable")])
    func `the log tells a wrong signature from claims that cannot be read`(lie: String, reason: String) async throws {
        try await withProvider { house, _ in
            try await expectRefused(try await house.visitor().comeFromExample(.init(lie: lie)), house)
            #expect(house.logs.lines(of: "authn_provider_rejected").contains { $0.contains(reason) })
        }
    }

    @Test func `a claim of another type that may be left out counts as left out`() async throws {
        try await withProvider { house, _ in
            try await house.visitor().signUpThroughExample()
            let known = house.visitor()
            #expect(try await known.comeFromExample(.init(lie: "odd")).location == "/account")
            let new = house.visitor()
            let person = ProviderStandIn.Person(sub: "another", email: "b@example.com", lie: "odd")
            #expect(try await new.comeFromExample(person).location == "/auth/continue")
            #expect(try await new.get("/auth/continue").shows("hasn&#39;t confirmed your email address"))
        }
    }

    @Test func `a flow ends after ten minutes`() async throws {
        try await withProvider { house, _ in
            let visitor = house.visitor()
            let asked = try await visitor.startSignIn("/auth/example")
            house.clock.advance(by: .seconds(601))
            try await expectRefused(try await visitor.get(try callback(asked)), house)
        }
    }

    @Test func `changing one's mind leads back quietly`() async throws {
        try await withProvider { house, _ in
            let visitor = house.visitor()
            let asked = try await visitor.startSignIn("/auth/example")
            let page = try await visitor.get("/auth/example/callback?state=\(asked.state)&error=access_denied")
            #expect(page.location == "/")
            _ = try await visitor.startSignIn("/auth/example")
            #expect(try await visitor.get("/auth/example/callback?error=access_denied").location == "/")
            #expect(house.logs.lines(of: "authn_provider_rejected").isEmpty)
        }
    }

    @Test func `keys may rotate, and are asked for once a minute at most`() async throws {
        try await withProvider(itsOwn: true) { house, standIn in
            #expect(try await house.visitor().comeFromExample().location == "/auth/continue")
            try await standIn.tell(["rotate": true])
            try await expectRefused(try await house.visitor().comeFromExample(), house)
            house.clock.advance(by: .seconds(61))
            #expect(try await house.visitor().comeFromExample(.init(lie: nil)).location == "/auth/continue")
            #expect(try await standIn.record().count { $0["call"] == "keys" } == 2)
        }
    }

    @Test func `keys that cannot be had, and a provider that is gone, give one sentence`() async throws {
        try await withProvider(itsOwn: true) { house, standIn in
            try await standIn.tell(["keys": "down"])
            try await expectRefused(try await house.visitor().comeFromExample(), house)
            #expect(house.logs.lines(of: "authn_provider_unavailable").contains { $0.contains("503") })
            try await standIn.tell(["keys": "up"])
            try await expectRefused(try await house.visitor().comeFromExample(), house)
            house.clock.advance(by: .seconds(6))
            #expect(try await house.visitor().comeFromExample().location == "/auth/continue")
        }
        let gone = [
            "VESTIBULE_OIDC_GONE_ISSUER": "http://127.0.0.1:9", "VESTIBULE_OIDC_GONE_CLIENT_ID": "a",
            "VESTIBULE_OIDC_GONE_CLIENT_SECRET": "b",
        ]
        try await withHouse(environment: gone) { house in
            try await expectRefused(try await house.visitor().follow("/auth/gone", from: "/login"), house)
        }
    }

    @Test func `a name of a provider that is not configured is no page`() async throws {
        try await withHouse { house in
            for path in ["/auth/example", "/auth/continue", "/account/confirm"] {
                let page = try await house.visitor().get(path)
                #expect(page.status == .notFound)
            }
        }
    }
}
