import Crypto
import Foundation
import TestSupport
import Testing
import VestibuleClient
import VestibuleClientStub

/// Sign in with Apple from an app, at a real server; Apple's own servers have a stand-in, which
/// signs.
@MainActor @Suite(.timeLimit(.minutes(2))) struct AppleTests {
    private let email = newAddress()

    private func house() async throws -> (ServerHouse, ProviderStandIn) {
        let apple = try await ProviderStandIn.start()
        return (try await ServerHouse(apple.appleSettings), apple)
    }

    /// What the system hands to an app: the token has the SHA-256 of the nonce, in hex.
    private func credential(
        _ apple: ProviderStandIn, _ house: ServerHouse, _ nonce: Secret, aud: String = "com.example.app",
        in spelled: (Secret) -> String = digest, name: String? = nil
    ) async throws -> ProviderCredential {
        let token = try await apple.appToken(spelled(nonce), for: email, aud: aud, now: house.now)
        return ProviderCredential(
            identityToken: Secret(token), nonce: nonce, firstName: name, lastName: name.map { _ in "Lovelace" })
    }

    private nonisolated static func digest(_ nonce: Secret) -> String {
        SHA256.hash(data: Data(nonce.text.utf8)).map { String(String(256 + Int($0), radix: 16).utf8.dropFirst()) ?? "" }
            .joined()
    }

    @Test func `somebody new comes with Apple, and comes back`() async throws {
        let (house, apple) = try await house()
        let app = house.client()
        #expect(try await app.site().providers == [Site.Provider(id: "apple", label: "Apple")])
        let model = SignInModel(app, carried: CarriedFields())
        let nonce = try #require(await model.providerNonce())
        await model.submit(try await credential(apple, house, nonce, name: "Ada"))
        guard case .newPerson = model.step else { throw Unexpected(model.problem ?? "") }
        #expect((model.name, model.fieldErrors) == ("Ada Lovelace", [:]))
        await model.submitNewPerson()
        #expect(model.fieldErrors == [.terms: "Accept the terms to continue."])
        model.acceptsTerms = true
        await model.submitNewPerson()
        guard case .done(let user) = model.step else { throw Unexpected(model.problem ?? "") }
        #expect((user.name, user.email, user.isEmailVerified) == ("Ada Lovelace", email, true))

        // Apple tells the name once; the account is known by then.
        let again = SignInModel(house.client(), carried: CarriedFields())
        let next = try #require(await again.providerNonce())
        await again.submit(try await credential(apple, house, next, in: \.text))
        guard case .done(user) = again.step else { throw Unexpected(again.problem ?? "") }
    }

    @Test func `a token for another app, with another nonce or used before is not believed`() async throws {
        let (house, apple) = try await house()
        let app = house.client()
        let used = try await credential(apple, house, try await app.providerNonce(), name: "Ada")
        guard case .signedIn = try await app.signIn(with: used, acceptsTerms: true) else { throw Unexpected(email) }
        let bad = [
            used,
            try await credential(apple, house, try await app.providerNonce(), aud: "com.example.other"),
            try await credential(apple, house, try await app.providerNonce(), in: { _ in "another" }),
            try await credential(apple, house, "made by myself"),
        ]
        for credential in bad {
            let found = try await refusal { try await house.client().signIn(with: credential, acceptsTerms: true) }
            #expect((found.code, found.status) == (.providerRejected, 401))
            #expect(found.sentence == "We couldn't complete that sign-in. Please try again.")
        }
    }

    @Test(arguments: Place.allCases) func `an account without a password gets none by a change`(
        _ place: Place
    ) async throws {
        let stub = StubHouse()
        var (app, given) = (stub.app(), ProviderCredential(identityToken: "a", nonce: "b", firstName: "Ada"))
        if place == .server {
            let (house, apple) = try await house()
            app = house.app()
            given = try await credential(apple, house, try await app.providerNonce(), name: "Ada")
        }
        guard case .signedIn = try await app.signIn(with: given, acceptsTerms: true) else { throw Unexpected(email) }
        for typed: Secret in ["", "anything"] {
            let refused = try await refusal { try await app.changePassword(to: .good, currentPassword: typed) }
            #expect((refused.code, refused.status) == (.validationFailed, 422))
            #expect(refused.fields.isEmpty && refused.sentence.hasPrefix("You haven't set a password yet."))
        }
        _ = try await app.requestEmailChange(to: newAddress(), currentPassword: "")
        if place == .stub {
            await stub.stub.ageSignIn()
            let old = try await refusal { try await app.deleteAccount(currentPassword: "") }
            #expect((old.code, old.status) == (.reauthenticationRequired, 403))
            #expect(old.fields.map(\.code) == ["invalid"])
            _ = try await app.signIn(with: given, acceptsTerms: true)
        }
        try await app.deleteAccount(currentPassword: "")
    }
}
