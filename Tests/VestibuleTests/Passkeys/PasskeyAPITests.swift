import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// What an app does with the passkeys of its account.
@Suite(.timeLimit(.minutes(15)))
struct PasskeyAPITests {
    private static let email = "ada@example.com"

    private struct List: Decodable {
        struct Passkey: Decodable {
            let id: String
            let name: String
            let isSecondFactor: Bool

            private enum CodingKeys: String, CodingKey {
                case id, name
                case isSecondFactor = "is_second_factor"
            }
        }
        let passkeys: [Passkey]
    }

    private func passkeys(_ app: App) async throws -> [List.Passkey] {
        try JSONDecoder().decode(List.self, from: Data(try await app.call(.get, "factors").body.utf8)).passkeys
    }

    /// An app signed in to an account whose browser has made a passkey by itself.
    private func upgraded(_ house: House) async throws -> (app: App, key: Authenticator) {
        let member = try await house.member(Self.email)
        var key = Authenticator(number: 1)
        try await member.add(&key, byItself: true)
        let app = house.app(at: "203.0.113.7")
        try await app.signIn(Self.email)
        return (app, key)
    }

    @Test func `a passkey gets another name, in the list, too`() async throws {
        try await withHouse { house in
            let app = try await upgraded(house).app
            let id = try await passkeys(app)[0].id
            #expect(
                try await app.call(.post, "factors/passkeys/\(id)/rename", ["name": " Work phone "]).status
                    == .noContent)
            #expect(try await passkeys(app).map(\.name) == ["Work phone"])
            for name in ["", "ph\u{202E}one"] {
                let refused = try await app.call(.post, "factors/passkeys/\(id)/rename", ["name": name])
                #expect(refused.status == .unprocessableContent && refused["errors.0.field"] == "name")
            }
            let eve = try await house.appMember("eve@example.com")
            #expect(try await eve.call(.post, "factors/passkeys/\(id)/rename", ["name": "Mine"]).status == .notFound)
            #expect(try await passkeys(app).map(\.name) == ["Work phone"])
        }
    }

    @Test func `a challenge that is over is the passkey's fault, not the token's`() async throws {
        try await withHouse { house in
            let app = try await house.appMember(Self.email)
            let body = Array(#"{"challenge": "spent", "credential": {}}"#.utf8)
            let json = ["Content-Type": "application/json"]
            let refused = try await app.call(.post, "factors/passkeys", raw: body, headers: json)
            #expect(refused.status == .unprocessableContent && refused.code == "invalid_credentials")
            #expect(refused.headers[.wwwAuthenticate] == nil)
        }
    }

    @Test func `one that a browser made by itself is asked for after the password once its owner says so`() async throws
    {
        try await withHouse { house in
            let (app, key) = try await upgraded(house)
            let made = try await passkeys(app)[0]
            #expect(!made.isSecondFactor)
            let old = await app.token
            #expect(try await app.call(.post, "factors/passkeys/\(made.id)/second").status == .ok)
            #expect(try await !house.app(token: old).isSignedIn())
            #expect(try await passkeys(app)[0].isSecondFactor)
            let asked = try await house.app(at: "203.0.113.8").signIn(Self.email)
            #expect(asked.status == .forbidden && asked.code == "second_factor_required")
            try await app.prove(with: key)
            #expect(try await app.call(.post, "factors/passkeys/\(made.id)/second").status == .notFound)
        }
    }

    @Test func `that takes a recent proof, and a passkey of one's own`() async throws {
        try await withHouse { house in
            let app = try await upgraded(house).app
            let id = try await passkeys(app)[0].id
            let eve = try await house.appMember("eve@example.com")
            #expect(try await eve.call(.post, "factors/passkeys/\(id)/second").status == .notFound)
            house.clock.advance(by: .seconds(600))
            let late = try await app.call(.post, "factors/passkeys/\(id)/second")
            #expect(late.status == .forbidden && late.code == "reauthentication_required")
            let proof = ["current_password": App.goodPassword]
            #expect(try await app.call(.post, "factors/passkeys/\(id)/second", proof).status == .ok)
        }
    }
}
