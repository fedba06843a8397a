import Crypto
import Foundation
import HTTPTypes
import Logging
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// Native apps bring a token from Apple themselves.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct NativeSignInAPITests {
    private func withApple(
        _ test: @escaping @Sendable (House, ProviderStandIn) async throws -> Void
    ) async throws {
        try await withAppleApp(standIn: ProviderStandIn.shared.value, test)
    }

    @Test func `an app signs up with name and consent, and in without`() async throws {
        try await withApple { house, standIn in
            let nonce = try await house.nonce()
            let app = house.app()
            var body = AppleBody(idToken: .init(token: try await standIn.appToken(nonce), nonce: nonce))
            let bare = try await app.call(.post, "sign-in/social", body)
            #expect(bare.status == .unprocessableContent && bare.body.contains("\"terms\""))
            // What was missing may be brought with the same token.
            (body.user, body.terms) = (AppleBody.ada, "accepted")
            let new = try await app.call(.post, "sign-in/social", body)
            #expect(new.status == .ok && new["user.name"] == "Ada Lovelace" && new["user.email"] == "ada@example.com")
            #expect(try await app.isSignedIn())
            let next = try await house.nonce()
            let hashed = SHA256.hash(data: Data(next.utf8)).map { String(format: "%02x", $0) }.joined()
            let again = try await house.app().call(
                .post, "sign-in/social",
                AppleBody(idToken: .init(token: try await standIn.appToken(hashed), nonce: next)))
            #expect(again.status == .ok && again["user.name"] == "Ada Lovelace")
        }
    }

    @Test func `a disabled account is not opened by Apple`() async throws {
        try await withApple { house, standIn in
            let new = try await house.app().call(.post, "sign-in/social", house.broughtByApp(standIn))
            #expect(new.status == .ok)
            let login = try await house.services.store.loginRecord(emailKey: "ada@example.com", failuresKey: [])
            let account = try #require(login.account)
            #expect(try await Administration(services: house.services).disable(account))
            let refused = try await house.app().call(.post, "sign-in/social", house.broughtByApp(standIn))
            #expect(refused.status == .unauthorized && refused.code == "provider_rejected")
        }
    }

    @Test func `twenty parallel first sign-ins of one identity make one account`() async throws {
        try await withApple { house, standIn in
            var bodies: [AppleBody] = []
            for _ in 0..<20 { bodies.append(try await house.broughtByApp(standIn)) }
            try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
                for body in bodies {
                    group.addTask { try await house.app().call(.post, "sign-in/social", body).status }
                }
                for try await status in group { #expect(status == .ok) }
            }
            #expect(try await house.events(of: "ada@example.com").count { $0.kind == .signup } == 1)
        }
    }

    @Test func `a token works once`() async throws {
        try await withApple { house, standIn in
            let nonce = try await house.nonce()
            let body = AppleBody(
                idToken: .init(token: try await standIn.appToken(nonce), nonce: nonce), user: AppleBody.ada,
                terms: "accepted"
            )
            let first = try await house.app().call(.post, "sign-in/social", body)
            let second = try await house.app().call(.post, "sign-in/social", body)
            #expect(first.status == .ok && second.status == .unauthorized && second.code == "provider_rejected")
        }
    }

    @Test func `a nonce works once, also when its first token ended before it and is forgotten`() async throws {
        let standIn = try await ProviderStandIn.shared.value
        try await withHouse(standIn.apple, clock: TestClock(Date()), logLevel: .debug) { house in
            let nonce = try await house.nonce()
            let short = try await standIn.appToken(nonce, now: house.clock.now - 595)
            var body = AppleBody(
                idToken: .init(token: short, nonce: nonce), user: AppleBody.ada, terms: "accepted")
            #expect(try await house.app().call(.post, "sign-in/social", body).status == .ok)
            house.clock.advance(by: .seconds(120))
            try await house.tidy()
            body.idToken.token = try await standIn.appToken(nonce, now: house.clock.now)
            let again = try await house.app().call(.post, "sign-in/social", body)
            #expect(again.status == .unauthorized && again.code == "provider_rejected")
        }
    }

    @Test func `what must not be believed is one answer, and makes nothing`() async throws {
        try await withApple { house, standIn in
            let nonce = try await house.nonce()
            let good = try await standIn.appToken(nonce)
            var bodies = [
                AppleBody(idToken: .init(token: good, nonce: "made up")),
                AppleBody(idToken: .init(token: try await standIn.appToken("another"), nonce: nonce)),
                AppleBody(idToken: .init(token: try await standIn.appToken(nil), nonce: nonce)),
                AppleBody(idToken: .init(token: try await standIn.appToken(nonce, aud: "web.client"), nonce: nonce)),
                AppleBody(idToken: .init(token: try await standIn.appToken(nonce, verified: false), nonce: nonce)),
                AppleBody(idToken: .init(token: String(repeating: "x", count: 20_000), nonce: nonce)),
                AppleBody(provider: "nobody", idToken: .init(token: good, nonce: nonce)),
            ]
            for lie in ["none", "hs256", "kid", "signature"] {
                bodies.append(
                    AppleBody(idToken: .init(token: try await standIn.appToken(nonce, lie: lie), nonce: nonce)))
            }
            for var body in bodies {
                (body.user, body.terms) = (AppleBody.ada, "accepted")
                let refused = try await house.app().call(.post, "sign-in/social", body)
                #expect(refused.status == .unauthorized && refused.code == "provider_rejected")
            }
            let told = house.logs.lines.filter { $0.contains("provider=unknown") }
            #expect(told.count == 1 && told[0].contains("reason=no such provider is set up for apps"), "\(told)")
            house.clock.advance(by: .seconds(601))
            let late = AppleBody(idToken: .init(token: good, nonce: nonce), user: AppleBody.ada, terms: "accepted")
            let refused = try await house.app().call(.post, "sign-in/social", late)
            #expect(refused.status == .unauthorized)
            #expect(try await house.events(of: "ada@example.com").isEmpty)
        }
    }

    /// As Google's app and server have client ids of their own.
    @Test func `a token for this server is believed if one of its apps asked for it, and of no other client`()
        async throws
    {
        let standIn = try await ProviderStandIn.shared.value
        let limits: [Setting: String] = [.limitLogin: "off", .limitSignup: "off"]
        @Sendable func signIn(_ house: House, _ aud: any Sendable, _ azp: String?) async throws -> Reply {
            let nonce = try await house.nonce()
            let token = try await standIn.appToken(nonce, aud: aud, azp: azp)
            let body = AppleBody(
                provider: "example", idToken: .init(token: token, nonce: nonce), user: AppleBody.ada, terms: "accepted")
            return try await house.app().call(.post, "sign-in/social", body)
        }
        let apps = ["VESTIBULE_OIDC_EXAMPLE_APP_IDS": "android.client, other"]
        let environment = standIn.example.merging(apps) { $1 }
        try await withHouse(limits, clock: TestClock(Date()), environment: environment) { house in
            let wrong: [(any Sendable, String?)] = [
                ("web.client", "evil.client"), (["web.client", "android.client"], "evil.client"),
                (["web.client", "android.client"], nil), (["android.client"], "android.client"),
            ]
            for (aud, azp) in wrong {
                let refused = try await signIn(house, aud, azp)
                #expect(refused.status == .unauthorized && refused.code == "provider_rejected")
            }
            for azp in ["android.client", "web.client", nil] {
                #expect(try await signIn(house, "web.client", azp).status == .ok)
            }
            // What a browser brings was given to this server itself.
            let page = try await house.visitor().comeFromExample(.init(lie: "azp_alone"))
            #expect(page.leads(to: "/login", saying: .providerFailed))
        }
        try await withHouse(limits, clock: TestClock(Date()), environment: standIn.example) { house in
            let refused = try await signIn(house, "web.client", "android.client")
            #expect(refused.status == .unauthorized)
        }
    }

    @Test func `an address with an account is told to its holder, and not connected`() async throws {
        try await withApple { house, standIn in
            _ = try await house.member("ada@example.com")
            let nonce = try await house.nonce()
            let body = AppleBody(
                idToken: .init(token: try await standIn.appToken(nonce), nonce: nonce), user: AppleBody.ada,
                terms: "accepted"
            )
            let taken = try await house.app().call(.post, "sign-in/social", body)
            #expect(taken.code == "duplicate_email")
            #expect(try await house.services.store.identities(of: "ada@example.com").isEmpty)
        }
    }

    @Test func `who has no password is told how to choose one, however long ago the sign-in is`() async throws {
        try await withApple { house, standIn in
            let app = house.app()
            #expect(try await app.call(.post, "sign-in/social", house.broughtByApp(standIn)).status == .ok)
            for age in [0, 600] {
                house.clock.advance(by: .seconds(age))
                for current in [[:], ["current_password": App.goodPassword]] {
                    let new = current.merging(["password": "staple horse battery"]) { $1 }
                    let refused = try await app.call(.post, "user/password", new)
                    #expect(refused.status == .unprocessableContent && refused.code == "validation_failed")
                    #expect(refused["detail"]?.contains("haven't set a password") == true)
                    #expect(refused["errors.0.field"] == nil)
                }
            }
        }
    }

    @Test func `wrong types are refused as such`() async throws {
        try await withApple { house, _ in
            let idToken = #""idToken": {"token": "x", "nonce": "x"}"#
            for text in [
                #"{"idToken": "x"}"#, #"{"provider": 1}"#, "{}", "{\(idToken)}", #"{"provider": "apple"}"#,
                #"{"provider": "apple", "idToken": {"token": 1, "nonce": "x"}}"#,
                #"{"provider": "apple", "idToken": {"token": "x"}}"#,
                "{\"provider\": \"apple\", \(idToken), \"user\": []}",
            ] {
                let reply = try await house.app().call(
                    .post, "sign-in/social", raw: Array(text.utf8), headers: ["Content-Type": "application/json"])
                #expect(reply.status == .badRequest)
            }
        }
    }

    @Test func `a name without a family name may be written with null`() async throws {
        try await withApple { house, standIn in
            let nonce = try await house.nonce()
            let token = try await standIn.appToken(nonce)
            let body = """
                {"provider": "apple", "idToken": {"token": "\(token)", "nonce": "\(nonce)"}, "terms": "accepted",
                "user": {"name": {"firstName": "Ada", "lastName": null}}}
                """
            let json = ["Content-Type": "application/json"]
            let new = try await house.app().call(.post, "sign-in/social", raw: Array(body.utf8), headers: json)
            #expect(new.status == .ok && new["user.name"] == "Ada")
        }
    }
}
