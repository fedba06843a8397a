import Foundation
import Testing
import VestibuleClient
import VestibuleClientStub

/// What a stub does on demand, seen through a form.
@MainActor @Suite(.timeLimit(.minutes(1))) struct StubTests {
    private let stub = AuthServiceStub()

    private func form() -> SignInModel {
        let model = SignInModel(stub, carried: CarriedFields())
        (model.email, model.password) = ("ada@example.com", Secret.good.text)
        return model
    }

    @Test(arguments: Refusal.Code.allCases) func `every refusal is told`(_ code: Refusal.Code) async throws {
        let refusal = Refusal.example(code)
        await stub.behave(.refuses(refusal))
        let model = form()
        await model.submit()
        #expect(model.problem == refusal.sentence || model.fieldErrors.values.contains(refusal.sentence))
        #expect((model.email, model.password) == ("ada@example.com", Secret.good.text))
        #expect(model.wait.secondsLeft == refusal.retryAfter ?? 0)
    }

    @Test(arguments: [NetworkTrouble.noConnection, .noAnswer, .strangeAnswer])
    func `a lost network is told, and nothing typed is lost`(_ trouble: NetworkTrouble) async throws {
        await stub.addAccount(name: "Ada", email: "ada@example.com", password: .good)
        await stub.behave(.isLost(trouble))
        let model = form()
        await model.submit()
        #expect(model.problem == trouble.sentence)
        await stub.behave(.answers)
        await model.submit()
        guard case .done = model.step else { throw Unexpected(model.problem ?? "") }
    }

    @Test func `a form that has to wait is not sent`() async throws {
        await stub.addAccount(name: "Ada", email: "ada@example.com", password: .good)
        await stub.behave(.refuses(.example(.rateLimited, retryAfter: 1)))
        let model = form()
        await model.submit()
        await stub.behave(.answers)
        await model.submit()
        guard case .form = model.step else { throw Unexpected("sent") }
        #expect(model.problem == "Too many attempts. Try again in 1 minute.")
        try await eventually("the end of the wait") { model.canSubmit ? true : nil }
        await model.submit()
        guard case .done = model.step else { throw Unexpected(model.problem ?? "") }
    }

    @Test func `a form is sent once at a time`() async throws {
        await stub.addAccount(name: "Ada", email: "ada@example.com", password: .good)
        await stub.slowDown(to: .seconds(2))
        let model = form()
        let first = Task { await model.submit() }
        try await eventually("the call") { model.isBusy ? true : nil }
        #expect(!model.canSubmit)
        await model.submit()
        #expect(model.isBusy)
        await first.value
        #expect(model.canSubmit)
        guard case .done = model.step else { throw Unexpected(model.problem ?? "") }
    }

    @Test func `a form that is left says nothing`() async throws {
        await stub.slowDown(to: .seconds(5))
        let model = form()
        let call = Task { await model.submit() }
        try await eventually("the call") { model.isBusy ? true : nil }
        call.cancel()
        await call.value
        #expect(model.problem == nil && !model.isBusy)
    }

    @Test func `a passkey opens the account that has one`() async throws {
        let credential = PasskeyCredential(
            id: Data([1]), clientDataJSON: Data([2]), authenticatorData: Data([3]), signature: Data([4]),
            userHandle: nil)
        let request = try await stub.passkeyRequest()
        #expect(
            try await refusal { try await stub.signIn(with: credential, for: request) }.code == .invalidCredentials)
        let user = await stub.addAccount(name: "Ada", email: "ada@example.com", password: .good)
        _ = try await stub.signIn(email: user.email, password: .good)
        let wanted = try await stub.newPasskeyRequest(currentPassword: nil)
        try await stub.addPasskey(credential, for: wanted, name: "Phone", currentPassword: nil)
        #expect(try await stub.factors().passkeys.map(\.name) == ["Phone"])
        try await stub.signOut()
        #expect(try await stub.signIn(with: credential, for: request) == .signedIn(user))
    }
}
