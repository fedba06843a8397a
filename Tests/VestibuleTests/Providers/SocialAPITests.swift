import Crypto
import Foundation
import HTTPTypes
import Testing
import Vestibule

/// Native apps bring a token from Apple themselves.
@Suite(.timeLimit(.minutes(3)), .serialized)
struct SocialAPITests {
    private struct Body: Encodable, Sendable {
        struct Token: Encodable, Sendable { var token, nonce: String }
        struct User: Encodable, Sendable {
            struct Name: Encodable, Sendable { var firstName, lastName: String }
            var name: Name
            var email = "forged@example.com"
        }
        var provider = "apple"
        var idToken: Token
        var user: User?
        var terms: String?
    }

    private static let user = Body.User(name: .init(firstName: "Ada", lastName: "Lovelace"))

    private func withApple(
        _ test: @escaping @Sendable (House, ProviderStandIn) async throws -> Void
    ) async throws {
        let standIn = try await ProviderStandIn.shared.value
        let settings = standIn.apple.merging([.limitLogin: "off", .limitSignup: "off"]) { $1 }
        try await withHouse(settings, clock: TestClock(Date())) { try await test($0, standIn) }
    }

    /// What an app gets from Apple for a nonce.
    private func token(
        _ standIn: ProviderStandIn, _ nonce: String, aud: String = "com.example.app", verified: Bool = true,
        lie: String? = nil
    ) async throws -> String {
        let now = Int(Date().timeIntervalSince1970)
        var command: [String: any Sendable] = [
            "sign": [
                "iss": standIn.base, "aud": aud, "sub": "001234.native", "nonce": nonce, "iat": now, "exp": now + 600,
                "email": "ada@example.com", "email_verified": verified ? "true" : "false",
            ] as [String: any Sendable]
        ]
        command["lie"] = lie
        return try await standIn.tell(command)["token"] as? String ?? ""
    }

    private func nonce(_ house: House) async throws -> String {
        try await house.app().call(.post, "sign-in/social/nonce")["nonce"] ?? ""
    }

    @Test func `an app signs up with name and consent, and in without`() async throws {
        try await withApple { house, standIn in
            let nonce = try await nonce(house)
            let app = house.app()
            var body = Body(idToken: .init(token: try await token(standIn, nonce), nonce: nonce))
            let bare = try await app.call(.post, "sign-in/social", body)
            #expect(bare.status == .unprocessableContent && bare.body.contains("\"terms\""))
            // What was missing may be brought with the same token.
            (body.user, body.terms) = (Self.user, "accepted")
            let new = try await app.call(.post, "sign-in/social", body)
            #expect(new.status == .ok && new["user.name"] == "Ada Lovelace" && new["user.email"] == "ada@example.com")
            #expect(try await app.isSignedIn())
            let next = try await self.nonce(house)
            let hashed = SHA256.hash(data: Data(next.utf8)).map { String(format: "%02x", $0) }.joined()
            let again = try await house.app().call(
                .post, "sign-in/social", Body(idToken: .init(token: try await token(standIn, hashed), nonce: next)))
            #expect(again.status == .ok && again["user.name"] == "Ada Lovelace")
        }
    }

    /// What signs up or in, with a fresh token.
    private func body(_ house: House, _ standIn: ProviderStandIn) async throws -> Body {
        let nonce = try await nonce(house)
        let token = Body.Token(token: try await token(standIn, nonce), nonce: nonce)
        return Body(idToken: token, user: Self.user, terms: "accepted")
    }

    @Test func `a disabled account is not opened by Apple`() async throws {
        try await withApple { house, standIn in
            let new = try await house.app().call(.post, "sign-in/social", body(house, standIn))
            #expect(new.status == .ok)
            let login = try await house.needs.store.loginRecord(emailKey: "ada@example.com", failuresKey: [])
            let account = try #require(login.account)
            #expect(try await Administration(needs: house.needs).disable(account))
            let refused = try await house.app().call(.post, "sign-in/social", body(house, standIn))
            #expect(refused.status == .unauthorized && refused.code == "provider_rejected")
        }
    }

    @Test func `twenty parallel first sign-ins of one identity make one account`() async throws {
        try await withApple { house, standIn in
            var bodies: [Body] = []
            for _ in 0..<20 { bodies.append(try await body(house, standIn)) }
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
            let nonce = try await nonce(house)
            let body = Body(
                idToken: .init(token: try await token(standIn, nonce), nonce: nonce), user: Self.user, terms: "accepted"
            )
            let first = try await house.app().call(.post, "sign-in/social", body)
            let second = try await house.app().call(.post, "sign-in/social", body)
            #expect(first.status == .ok && second.status == .unauthorized && second.code == "provider_rejected")
        }
    }

    @Test func `what must not be believed is one answer, and makes nothing`() async throws {
        try await withApple { house, standIn in
            let nonce = try await nonce(house)
            let good = try await token(standIn, nonce)
            var bodies = [
                Body(idToken: .init(token: good, nonce: "made up")),
                Body(idToken: .init(token: try await token(standIn, "another"), nonce: nonce)),
                Body(idToken: .init(token: try await token(standIn, nonce, aud: "web.client"), nonce: nonce)),
                Body(idToken: .init(token: try await token(standIn, nonce, verified: false), nonce: nonce)),
                Body(idToken: .init(token: String(repeating: "x", count: 20_000), nonce: nonce)),
                Body(provider: "nobody", idToken: .init(token: good, nonce: nonce)),
            ]
            for lie in ["none", "hs256", "kid", "signature"] {
                bodies.append(Body(idToken: .init(token: try await token(standIn, nonce, lie: lie), nonce: nonce)))
            }
            for var body in bodies {
                (body.user, body.terms) = (Self.user, "accepted")
                let refused = try await house.app().call(.post, "sign-in/social", body)
                #expect(refused.status == .unauthorized && refused.code == "provider_rejected")
            }
            house.clock.advance(by: .seconds(601))
            let late = Body(idToken: .init(token: good, nonce: nonce), user: Self.user, terms: "accepted")
            let refused = try await house.app().call(.post, "sign-in/social", late)
            #expect(refused.status == .unauthorized)
            #expect(try await house.events(of: "ada@example.com").isEmpty)
        }
    }

    @Test func `an address with an account is told to whoever holds it, and not connected`() async throws {
        try await withApple { house, standIn in
            _ = try await house.member("ada@example.com")
            let nonce = try await nonce(house)
            let body = Body(
                idToken: .init(token: try await token(standIn, nonce), nonce: nonce), user: Self.user, terms: "accepted"
            )
            let taken = try await house.app().call(.post, "sign-in/social", body)
            #expect(taken.code == "duplicate_email")
            #expect(try await house.needs.store.identities(of: "ada@example.com").isEmpty)
        }
    }

    @Test func `wrong types are refused as such`() async throws {
        try await withApple { house, _ in
            for text in [#"{"idToken": "x"}"#, #"{"provider": 1}"#, #"{"user": []}"#, #"{"idToken": {"token": 1}}"#] {
                let reply = try await house.app().call(
                    .post, "sign-in/social", raw: Array(text.utf8), headers: ["Content-Type": "application/json"])
                #expect(reply.status == .badRequest)
            }
        }
    }

    @Test func `a name without a family name may be written with null`() async throws {
        try await withApple { house, standIn in
            let nonce = try await nonce(house)
            let token = try await token(standIn, nonce)
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
