import Foundation
import Testing
import VestibuleClient
import VestibuleClientStub

/// What goes on while a form has to wait, or while one of its calls is under way.
@MainActor @Suite(.timeLimit(.minutes(1))) struct WaitTests {
    private let stub = AuthServiceStub()
    private static let email = "ada@example.com"

    private func account() async throws -> AccountModel {
        await stub.addAccount(name: "Ada", email: Self.email, password: .good)
        guard case .signedIn(let user) = try await stub.signIn(email: Self.email, password: .good) else {
            throw Unexpected("nobody")
        }
        return AccountModel(stub, user: user)
    }

    /// An account whose last call was refused, with a minute to wait.
    private func heldAccount() async throws -> AccountModel {
        let model = try await account()
        await stub.behave(.refuses(.example(.rateLimited)))
        await model.saveName()
        #expect(!model.canSubmit)
        await stub.behave(.answers)
        return model
    }

    @Test func `a wait keeps nobody from signing out`() async throws {
        let model = try await heldAccount()
        await model.signOut()
        #expect(try await stub.restore() == .signedOut)
    }

    @Test func `the wait of other calls keeps nobody from deleting the account`() async throws {
        let model = try await heldAccount()
        (model.currentPassword, model.deletionWord) = (Secret.good.text, "delete")
        await model.delete()
        #expect(model.isDeleted)
    }

    @Test func `a call under way keeps nobody from signing out`() async throws {
        let model = try await account()
        await stub.slowDown(to: .seconds(60))
        let load = Task { await model.load() }
        try await eventually("the call") { model.isBusy ? true : nil }
        await stub.slowDown(to: .zero)
        await model.signOut()
        #expect(try await stub.restore() == .signedOut)
        #expect(model.isBusy)
        load.cancel()
        await load.value
        #expect(!model.isBusy)
    }

    /// A sign-in form that was refused, with a minute to wait.
    private func heldSignIn() async throws -> SignInModel {
        await stub.addAccount(name: "Ada", email: Self.email, password: .good)
        let model = SignInModel(stub, carried: CarriedFields())
        (model.email, model.password) = ("eve@example.com", Secret.good.text)
        await stub.behave(.refuses(.example(.rateLimited)))
        await model.submit()
        #expect(!model.canSubmit)
        await stub.behave(.answers)
        return model
    }

    @Test func `another address is tried at once`() async throws {
        let model = try await heldSignIn()
        model.email = "eve@example.com"
        #expect(!model.canSubmit)
        model.email = Self.email
        #expect(model.canSubmit)
        await model.submit()
        guard case .done = model.step else { throw Unexpected(model.problem ?? "") }
    }

    @Test func `the wait of a password holds back no passkey and no provider`() async throws {
        let model = try await heldSignIn()
        #expect(await model.passkeyRequest() != nil)
        #expect(await model.providerNonce() != nil)
        await model.submit(ProviderCredential(identityToken: "token", nonce: "nonce", firstName: "Eve"))
        guard case .newPerson = model.step else { throw Unexpected(model.problem ?? "") }
        model.acceptsTerms = true
        await model.submitNewPerson()
        guard case .done = model.step else { throw Unexpected(model.problem ?? "") }
    }

    @Test func `the wait of a passkey holds back no password`() async throws {
        await stub.addAccount(name: "Ada", email: Self.email, password: .good)
        let model = SignInModel(stub, carried: CarriedFields())
        (model.email, model.password) = (Self.email, Secret.good.text)
        await stub.behave(.refuses(.example(.rateLimited)))
        #expect(await model.passkeyRequest() == nil)
        #expect((1...60).contains(model.otherWait.secondsLeft) && model.canSubmit)
        await stub.behave(.answers)
        await model.submit()
        guard case .done = model.step else { throw Unexpected(model.problem ?? "") }
    }

    @Test func `a wait keeps nobody from leaving instead of accepting the terms`() async throws {
        await stub.addAccount(name: "Ada", email: Self.email, password: .good)
        await stub.raiseTerms()
        let model = SignInModel(stub, carried: CarriedFields())
        (model.email, model.password) = (Self.email, Secret.good.text)
        await model.submit()
        await stub.behave(.refuses(.example(.unavailable)))
        await model.acceptTerms()
        #expect(!model.canSubmit)
        await stub.behave(.answers)
        await model.signOut()
        #expect(try await stub.restore() == .signedOut)
    }

    @Test func `terms that were accepted on the way out lead nowhere`() async throws {
        let isOut = DispatchSemaphore(value: 0)
        let wire = try Wire { request in
            if request.contains("/sign-in ") { return Wire.answer("200 OK", "application/json", Self.session) }
            if request.contains("/user/terms ") { isOut.wait() }
            return "HTTP/1.1 204 No Content\r\n\r\n"
        }
        let model = SignInModel(
            AuthClient(server: wire.url, store: MemoryTokenStore()), carried: CarriedFields())
        await model.submit()
        let consent = Task { await model.acceptTerms() }
        try await eventually("the call") { wire.requests.count == 2 ? true : nil }
        await model.signOut()
        isOut.signal()
        await consent.value
        guard case .form = model.step else { throw Unexpected(model.problem ?? "") }
    }

    nonisolated private static let session = #"""
        {"user": {"id": "1", "email": "ada@example.com", "email_verified": true, "name": "Ada",
        "created_at": "2026-11-21T09:30:00Z"}, "terms_required": true, "token": "new"}
        """#
}
