import Foundation
import Testing
import VestibuleClient
import VestibuleClientStub

/// What asks for a proof once more, over the stub and at a real server whose clock goes on by
/// eleven minutes.
@MainActor @Suite(.timeLimit(.minutes(2))) struct AgedProofTests {
    private let store = KeptToken(nil)

    /// The account of somebody who signed in eleven minutes ago, and where it is.
    private func aged(
        _ place: Place, _ prepare: (any AuthService, any House) async throws -> Void = { _, _ in }
    ) async throws -> (AccountModel, any House) {
        guard place == .stub else { return try await aged(try await ServerHouse(), prepare) }
        let house = StubHouse()
        let app = try await house.newcomer(newAddress())
        try await prepare(app, house)
        await house.stub.ageSignIn()
        guard case .signedIn(let user) = try await app.restore() else { throw Unexpected("nobody") }
        return (AccountModel(app, user: user), house)
    }

    private func aged(
        _ house: ServerHouse, _ prepare: (any AuthService, any House) async throws -> Void = { _, _ in }
    ) async throws -> (AccountModel, ServerHouse) {
        let email = newAddress()
        let newcomer = try await house.newcomer(email)
        let app = house.client(store)
        _ = try await app.signIn(email: email, password: .good)
        try await prepare(app, house)
        try await newcomer.signOut()
        let later = try await house.restarted(later: 660)
        let client = later.client(store)
        guard case .signedIn(let user) = try await client.restore() else { throw Unexpected("nobody") }
        return (AccountModel(client, user: user), later)
    }

    private func addApp(to app: any AuthService, _ house: any House) async throws -> AuthenticatorSetup {
        let made = try await app.beginAuthenticator(currentPassword: nil)
        try await app.confirmAuthenticator(made, code: try house.appCode(made, later: 0), currentPassword: nil)
        return made
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

    @Test(arguments: Place.allCases) func `what needs a second factor waits for it, and goes on`(
        _ place: Place
    ) async throws {
        var setup: AuthenticatorSetup?
        let (model, later) = try await aged(place) { app, house in
            setup = try await addApp(to: app, house)
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

    @Test(arguments: Place.allCases) func `an app is added after the password, which is asked for once`(
        _ place: Place
    ) async throws {
        let (model, house) = try await aged(place)
        await model.beginAuthenticator()
        #expect((model.proof, model.setup) == (.password, nil))
        model.currentPassword = Secret.good.text
        await model.submitProof()
        let setup = try #require(model.setup)
        model.code = try house.appCode(setup, later: 0).text
        await model.confirmAuthenticator()
        #expect((model.proof, model.setup, model.notice) == (nil, nil, "The app has been added."))
        #expect(model.currentPassword.isEmpty)
    }

    @Test(arguments: Place.allCases) func `a passkey is made after the password, which is asked for once`(
        _ place: Place
    ) async throws {
        let (model, house) = try await aged(place)
        let url = (house as? ServerHouse)?.url.absoluteString
        let phone = SoftwareAuthenticator(origin: url ?? "https://login.example.com")
        await model.beginPasskey()
        #expect(model.proof == .password && model.newPasskey == nil)
        model.currentPassword = Secret.good.text
        await model.submitProof()
        let request = try #require(model.newPasskey)
        await model.addPasskey(try phone.register(request), name: "Phone")
        #expect((model.proof, model.notice) == (nil, "Passkey added."))
        #expect(model.newPasskey == nil && model.currentPassword.isEmpty)
        #expect(model.factors?.passkeys.map(\.name) == ["Phone"])
    }

    @Test(arguments: Place.allCases) func `after a right factor another error is at its own form`(
        _ place: Place
    ) async throws {
        var setup: AuthenticatorSetup?
        let (model, later) = try await aged(place) { app, house in
            setup = try await addApp(to: app, house)
        }
        (model.email, model.currentPassword) = (newAddress(), Secret.other.text)
        await model.requestEmailChange()
        #expect(model.proof == .factor([.totp]))
        model.code = try later.appCode(try #require(setup), later: 0).text
        await model.submitProof()
        #expect(model.proof == nil)
        #expect(model.fieldErrors == [.currentPassword: "That's not your current password."])
        model.currentPassword = Secret.good.text
        await model.requestEmailChange()
        #expect((model.proof, model.awaitsEmailCode) == (nil, true))
    }

    @Test(arguments: Place.allCases) func `a wrong code of a new app does not ask for the password again`(
        _ place: Place
    ) async throws {
        let (model, _) = try await aged(place)
        model.currentPassword = Secret.good.text
        await model.beginAuthenticator()
        #expect(model.currentPassword.isEmpty)
        model.code = "000000"
        await model.confirmAuthenticator()
        #expect((model.proof, model.fieldErrors[.code] != nil) == (nil, true))
    }

    @Test(arguments: Place.allCases) func `a code that waits for a factor is sent as it was typed`(
        _ place: Place
    ) async throws {
        let (house, email, new) = (try await place.house(), newAddress(), newAddress())
        let app = try await house.newcomer(email)
        let setup = try await addApp(to: app, house)
        let recovery = try await app.makeRecoveryCodes(currentPassword: nil)[0]
        let other = house.app()
        guard case .secondFactorWanted(let step) = try await other.signIn(email: email, password: .good),
            case .signedIn(let user) = try await other.finishSignIn(
                step, with: .appCode(try house.appCode(setup, later: 1)))
        else { throw Unexpected("no second step") }
        let model = AccountModel(other, user: user)
        (model.email, model.currentPassword) = (new, Secret.good.text)
        await model.requestEmailChange()
        #expect(model.awaitsEmailCode)
        if let stub = house as? StubHouse {
            await stub.stub.ageSignIn()
        } else {
            // From now on the code of the sign-in is too weak a proof.
            let phone = SoftwareAuthenticator(origin: try await ServerHouse.shared.url.absoluteString)
            let request = try await app.newPasskeyRequest(currentPassword: nil)
            try await app.addPasskey(try phone.register(request), for: request, name: nil, currentPassword: nil)
        }
        await model.resendEmailCode()
        guard case .factor = model.proof else { throw Unexpected("no proof for another code") }
        model.cancelProof()
        model.code = try await house.code(mailedTo: new).text
        await model.submitEmailCode()
        guard case .factor = model.proof else { throw Unexpected("no proof") }
        #expect(model.code.isEmpty)
        model.code = recovery.text
        await model.submitProof(.recoveryCode)
        #expect((model.proof, model.fieldErrors, model.user.email) == (nil, [:], new))
    }
}
