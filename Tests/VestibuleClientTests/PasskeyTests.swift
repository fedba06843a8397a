import Foundation
import Testing
import VestibuleClient

/// Passkeys of a software authenticator, at a real server.
@Suite(.timeLimit(.minutes(2))) struct PasskeyTests {
    @Test func `a passkey signs in, finishes a sign-in, and proves who asks`() async throws {
        let (house, email) = (try await ServerHouse.shared, newAddress())
        let app = try await house.newcomer(email)
        let phone = SoftwareAuthenticator(origin: String(house.url.absoluteString))
        let request = try await app.newPasskeyRequest(currentPassword: nil)
        #expect((request.relyingParty, request.owner?.name) == ("localhost", email))
        let owner = try #require(request.owner).id
        try await app.addPasskey(try phone.register(request), for: request, name: "Phone", currentPassword: nil)
        let passkey = try #require(try await app.factors().passkeys.first)
        #expect((passkey.name, passkey.isSecondFactor) == ("Phone", true))
        let second = try await app.newPasskeyRequest(currentPassword: nil)
        #expect((request.excluded.count, second.excluded.count) == (0, 1))
        #expect(request.userVerification == "required")

        try await app.signOut()
        let asked = try await app.passkeyRequest()
        #expect((asked.excluded, asked.userVerification) == ([], "required"))
        let outcome = try await app.signIn(with: try phone.sign(asked, as: owner), for: asked)
        guard case .signedIn(let user) = outcome else { throw Unexpected(outcome) }
        #expect(user.email == email)
        let again = try await refusal { try await app.signIn(with: try phone.sign(asked, as: owner), for: asked) }
        #expect((again.code, again.status) == (.invalidCredentials, 401))

        try await app.signOut()
        let halfway = try await app.signIn(email: email, password: .good)
        guard case .secondFactorWanted(let step) = halfway else { throw Unexpected(halfway) }
        #expect(step.methods == [.passkey])
        let signed = try await app.passkeyRequest()
        let proof = FactorProof.passkey(try phone.sign(signed, as: owner), for: signed)
        guard case .signedIn = try await app.finishSignIn(step, with: proof) else { throw Unexpected(step) }

        let proving = try await app.proofRequest()
        #expect(proving.allowed.count == 1)
        try await app.prove(.passkey(try phone.sign(proving, as: owner), for: proving))
        try await app.renamePasskey(id: passkey.id, to: "Old phone", currentPassword: nil)
        #expect(try await app.factors().passkeys.map(\.name) == ["Old phone"])
        let second404 = try await refusal {
            try await app.usePasskeyForSecondStep(id: passkey.id, currentPassword: nil)
        }
        #expect(second404.status == 404)
        try await app.removePasskey(id: passkey.id, currentPassword: nil)
        #expect(try await app.factors() == Factors())
    }

    @Test @MainActor func `what wants a second factor goes on after a passkey`() async throws {
        let (house, email) = (try await ServerHouse.shared, newAddress())
        let app = try await house.newcomer(email)
        let phone = SoftwareAuthenticator(origin: house.url.absoluteString)
        let request = try await app.newPasskeyRequest(currentPassword: nil)
        let owner = try #require(request.owner).id
        try await app.addPasskey(try phone.register(request), for: request, name: nil, currentPassword: nil)
        let setup = try await app.beginAuthenticator(currentPassword: nil)
        try await app.confirmAuthenticator(setup, code: try house.appCode(setup, later: 0), currentPassword: nil)
        try await app.signOut()
        let outcome = try await app.signIn(email: email, password: .good)
        guard case .secondFactorWanted(let step) = outcome else { throw Unexpected(outcome) }
        // The code of the app signs in, but a change wants the passkey, which is stronger.
        let code = try house.appCode(setup, later: 1)
        guard case .signedIn(let user) = try await app.finishSignIn(step, with: .appCode(code)) else {
            throw Unexpected(step)
        }
        let model = AccountModel(app, user: user)
        await model.makeRecoveryCodes()
        #expect((model.proof, model.problem) == (.factor([.passkey, .totp]), nil))
        let asked = try #require(await model.proofRequest())
        await model.submitProof(try phone.sign(asked, as: owner), for: asked)
        #expect((model.proof, model.recoveryCodes.count) == (nil, 10))
    }
}
