import Foundation
import HTTPTypes
import TestSupport

@testable import Essentials
@testable import Vestibule

/// What a native app sends to `sign-in/social`.
struct AppleBody: Encodable, Sendable {
    struct Token: Encodable, Sendable { var token, nonce: String }
    struct User: Encodable, Sendable {
        struct Name: Encodable, Sendable { var firstName, lastName: String }
        var name: Name
        var email = "forged@example.com"
    }
    var provider = "apple"
    var idToken: Token
    var authorizationCode: String?
    var user: User?
    var terms: String?

    static let ada = User(name: .init(firstName: "Ada", lastName: "Lovelace"))
}

/// A house whose people may come through an app with Apple.
func withAppleApp(
    standIn: ProviderStandIn, _ test: @escaping @Sendable (House, ProviderStandIn) async throws -> Void
) async throws {
    let settings = standIn.apple.merging([.limitLogin: "off", .limitSignup: "off"]) { $1 }
    try await withHouse(settings, clock: TestClock(Date())) { try await test($0, standIn) }
}

extension House {
    func nonce() async throws -> String {
        try await app().call(.post, "sign-in/social/nonce")["nonce"] ?? ""
    }

    /// What signs up or in, with a fresh token, and the code that says `person`.
    func broughtByApp(_ standIn: ProviderStandIn, code person: ProviderStandIn.Person? = nil) async throws -> AppleBody
    {
        let nonce = try await nonce()
        let token = AppleBody.Token(token: try await standIn.appToken(nonce), nonce: nonce)
        let code = try person.map(ProviderStandIn.code)
        return AppleBody(idToken: token, authorizationCode: code, user: AppleBody.ada, terms: "accepted")
    }
}
