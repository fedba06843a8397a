import Foundation
import Testing
import VestibuleClient

/// What asks for a proof once more, at a real server whose clock goes on by eleven minutes.
@MainActor @Suite(.timeLimit(.minutes(2))) struct AgedProofTests {
    private let store = KeptToken(nil)

    /// The account of somebody who signed in eleven minutes ago, at a server that has gone on.
    private func aged(
        _ house: ServerHouse, _ prepare: (any AuthService) async throws -> Void = { _ in }
    ) async throws -> (AccountModel, ServerHouse) {
        let email = newAddress()
        let newcomer = try await house.newcomer(email)
        let app = house.client(store)
        _ = try await app.signIn(email: email, password: .good)
        try await prepare(app)
        try await newcomer.signOut()
        let later = try await house.restarted(later: 660)
        let client = later.client(store)
        guard case .signedIn(let user) = try await client.restore() else { throw Unexpected("nobody") }
        return (AccountModel(client, user: user), later)
    }

    @Test func `what needs the password waits for it, and goes on`() async throws {
        let (model, house) = try await aged(try await ServerHouse())
        let other = house.client()
        _ = try await other.signIn(email: model.user.email, password: .good)
        await model.export()
        #expect((model.proof, model.problem, model.fieldErrors) == (.password, nil, [:]))
        model.currentPassword = Secret.other.text
        await model.submitProof()
        #expect(model.fieldErrors == [.currentPassword: "That's not your current password."])
        #expect(model.proof == .password)
        model.currentPassword = Secret.good.text
        await model.submitProof()
        #expect(model.exported != nil && model.proof == nil && model.currentPassword.isEmpty)

        await model.load()
        await model.endOthers()
        #expect((model.proof, model.devices.count) == (.password, 2))
        model.currentPassword = Secret.good.text
        await model.submitProof()
        #expect((model.proof, model.notice) == (nil, "Every other browser has been signed out."))
        #expect(try await other.restore() == .ended)
    }

    @Test func `what needs a second factor waits for it, and goes on`() async throws {
        let house = try await ServerHouse()
        var setup: AuthenticatorSetup?
        let (model, later) = try await aged(house) { app in
            let made = try await app.beginAuthenticator(currentPassword: nil)
            try await app.confirmAuthenticator(made, code: try house.appCode(made, later: 0))
            setup = made
        }
        await model.makeRecoveryCodes()
        #expect((model.proof, model.problem) == (.factor([.totp]), nil))
        model.code = "000000"
        await model.submitProof()
        #expect(model.fieldErrors[.code] != nil && model.proof != nil)
        model.code = try later.appCode(try #require(setup), later: 0).text
        await model.submitProof()
        #expect((model.proof, model.recoveryCodes.count) == (nil, 10))
        // The proof counts for what follows, too, with the token that it brought.
        await model.removeAuthenticator()
        #expect((model.proof, model.notice) == (nil, "The app has been removed."))
    }
}
