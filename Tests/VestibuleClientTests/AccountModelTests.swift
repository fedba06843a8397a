import Foundation
import Testing
import VestibuleClient
import VestibuleClientStub

/// The account's own forms, over the stub and over a real server.
@MainActor @Suite(.timeLimit(.minutes(5))) struct AccountModelTests {
    private func model(_ app: any AuthService) async throws -> AccountModel {
        guard case .signedIn(let user) = try await app.restore() else { throw Unexpected("nobody") }
        return AccountModel(app, user: user)
    }

    @Test(arguments: Place.allCases) func `name, password and address are changed`(_ place: Place) async throws {
        let (house, email, new) = (try await place.house(), newAddress(), newAddress())
        let app = try await house.newcomer(email)
        let model = try await model(app)
        model.name = ""
        await model.saveName()
        #expect(model.fieldErrors == [.name: "Enter your name."])
        model.name = "Countess"
        await model.saveName()
        #expect((model.user.name, model.notice) == ("Countess", "Your name has been saved."))

        (model.password, model.confirmation, model.currentPassword) = (Secret.other.text, "", Secret.good.text)
        await model.changePassword()
        #expect(model.fieldErrors == [.confirmation: "Repeat your password."])
        model.confirmation = Secret.other.text
        await model.changePassword()
        #expect(model.notice == "Your password has been changed, and every other browser has been signed out.")
        #expect((model.password, model.currentPassword) == ("", ""))

        (model.email, model.currentPassword) = (new, Secret.good.text)
        await model.requestEmailChange()
        #expect(model.fieldErrors == [.currentPassword: "That's not your current password."])
        model.currentPassword = Secret.other.text
        await model.requestEmailChange()
        #expect(model.awaitsEmailCode)
        model.code = try await house.code(mailedTo: new).text
        await model.submitEmailCode()
        #expect((model.user.email, model.notice) == (new, "Your email address has been changed."))
    }

    @Test(arguments: Place.allCases) func `an app and recovery codes are added and removed`(
        _ place: Place
    ) async throws {
        let (house, email) = (try await place.house(), newAddress())
        let model = try await model(try await house.newcomer(email))
        await model.load()
        #expect(model.devices.map(\.isCurrent) == [true])
        #expect(model.factors == Factors())
        await model.beginAuthenticator()
        let setup = try #require(model.setup)
        model.code = "000000"
        await model.confirmAuthenticator()
        #expect(model.fieldErrors[.code]?.utf8.starts(with: "That code isn't right.".utf8) == true)
        model.code = try house.appCode(setup, later: 0).text
        await model.confirmAuthenticator()
        #expect((model.setup, model.notice) == (nil, "The app has been added."))
        await model.makeRecoveryCodes()
        #expect((model.recoveryCodes.count, model.factors?.recoveryCodes?.left) == (10, 10))
        model.forgetRecoveryCodes()
        await model.removeAuthenticator()
        #expect((model.factors, model.recoveryCodes) == (Factors(), []))
    }

    @Test(arguments: Place.allCases) func `an account is exported, and erased after a word`(
        _ place: Place
    ) async throws {
        let (house, email) = (try await place.house(), newAddress())
        let app = try await house.newcomer(email)
        let model = try await model(app)
        await model.export()
        #expect(String(decoding: try #require(model.exported), as: UTF8.self).contains(email))
        model.currentPassword = Secret.good.text
        await model.delete()
        #expect(model.fieldErrors == [.deletionWord: "Type the word “delete” to confirm."])
        model.deletionWord = "delete"
        await model.delete()
        #expect(model.isDeleted)
        #expect(try await app.restore() == .signedOut)
    }

    @Test func `other devices are signed out`() async throws {
        let (house, email) = (try await ServerHouse.shared, newAddress())
        let model = try await model(try await house.newcomer(email))
        for _ in 1...2 { _ = try await house.app().signIn(email: email, password: .good) }
        await model.load()
        #expect((model.devices.count, model.user.email) == (3, email))
        await model.end(try #require(model.devices.first { !$0.isCurrent }))
        #expect((model.devices.count, model.notice) == (2, "The other browser has been signed out."))
        await model.endOthers()
        await model.load()
        #expect(model.devices.map(\.isCurrent) == [true])
    }

    @Test func `what needs the password waits for it`() async throws {
        let stub = AuthServiceStub()
        await stub.addAccount(name: "Ada", email: "ada@example.com", password: .good)
        _ = try await stub.signIn(email: "ada@example.com", password: .good)
        let model = try await model(stub)
        await stub.behave(.refuses(.example(.reauthenticationRequired)))
        await model.export()
        #expect((model.proof, model.problem, model.fieldErrors) == (.password, nil, [:]))
        await stub.behave(.answers)
        model.currentPassword = Secret.good.text
        await model.submitProof()
        #expect(model.exported != nil && model.proof == nil && model.currentPassword.isEmpty)
    }

    @Test func `what needs a second factor waits for it`() async throws {
        let stub = AuthServiceStub()
        await stub.addAccount(name: "Ada", email: "ada@example.com", password: .good)
        _ = try await stub.signIn(email: "ada@example.com", password: .good)
        let setup = try await stub.beginAuthenticator(currentPassword: nil)
        try await stub.confirmAuthenticator(setup, code: AuthServiceStub.appCode, currentPassword: nil)
        let model = try await model(stub)
        let wanted = Refusal(
            .reauthenticationRequired, "Confirm with a second factor first.", status: 403, methods: [.totp])
        await stub.behave(.refuses(wanted))
        await model.removeAuthenticator()
        #expect((model.proof, model.problem) == (.factor([.totp]), nil))
        await stub.behave(.answers)
        model.code = "000000"
        await model.submitProof()
        #expect(model.fieldErrors[.code] != nil && model.proof != nil)
        model.code = AuthServiceStub.appCode.text
        await model.submitProof()
        #expect((model.proof, model.notice) == (nil, "The app has been removed."))
        await stub.behave(.refuses(wanted))
        await model.export()
        model.cancelProof()
        await stub.behave(.answers)
        await model.submitProof()
        #expect(model.exported == nil)
    }

    @Test(arguments: [
        AuthServiceStub.Behaviour.isLost(.noConnection),
        .refuses(Refusal(.unavailable, "Please try again in a moment.", status: 503, retryAfter: 1)),
    ])
    func `what waited for a factor goes on when the network is back, without another code`(
        _ trouble: AuthServiceStub.Behaviour
    ) async throws {
        let (stub, new) = (AuthServiceStub(), newAddress())
        await stub.addAccount(name: "Ada", email: "ada@example.com", password: .good)
        _ = try await stub.signIn(email: "ada@example.com", password: .good)
        let setup = try await stub.beginAuthenticator(currentPassword: nil)
        try await stub.confirmAuthenticator(setup, code: AuthServiceStub.appCode, currentPassword: nil)
        let model = try await model(stub)
        (model.email, model.currentPassword) = (new, Secret.good.text)
        await model.requestEmailChange()
        await stub.ageSignIn()
        model.code = try #require(await stub.mailedCode(to: new)).text
        await model.submitEmailCode()
        #expect(model.proof == .factor([.totp]))
        await stub.behave(trouble, after: 1)
        model.code = AuthServiceStub.appCode.text
        await model.submitProof()
        #expect(model.proof == .factor([.totp]) && model.code.isEmpty && model.problem != nil)
        await stub.behave(.answers)
        try await eventually("the end of the wait") { model.canSubmit ? true : nil }
        await model.submitProof()
        #expect((model.proof, model.problem, model.user.email) == (nil, nil, new))
    }

    @Test func `a passkey that answers a question which was cancelled does nothing`() async throws {
        let stub = AuthServiceStub()
        await stub.addAccount(name: "Ada", email: "ada@example.com", password: .good)
        _ = try await stub.signIn(email: "ada@example.com", password: .good)
        let credential = PasskeyCredential(id: Data([1]), clientDataJSON: Data(), attestationObject: Data())
        let request = try await stub.newPasskeyRequest(currentPassword: nil)
        try await stub.addPasskey(credential, for: request, name: nil, currentPassword: nil)
        let model = try await model(stub)
        let wanted = Refusal(
            .reauthenticationRequired, "Confirm with a second factor first.", status: 403, methods: [.passkey])
        await stub.behave(.refuses(wanted))
        await model.export()
        await stub.behave(.answers)
        let asked = try #require(await model.proofRequest())
        model.cancelProof()
        await model.submitProof(credential, for: asked)
        #expect(model.exported == nil)
    }
}
