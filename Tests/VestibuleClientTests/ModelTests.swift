import Foundation
import Testing
import VestibuleClient
import VestibuleClientStub

/// The forms of somebody who is not signed in, over the stub and over a real server.
@MainActor @Suite(.timeLimit(.minutes(5))) struct ModelTests {
    private let carried = CarriedFields()

    private func signUp(_ app: any AuthService, _ email: String) -> SignUpModel {
        let model = SignUpModel(app, carried: carried)
        (model.name, model.email, model.acceptsTerms) = ("Ada Lovelace", email, true)
        (model.password, model.confirmation) = (Secret.good.text, Secret.good.text)
        return model
    }

    private func signIn(_ app: any AuthService, _ email: String, _ password: Secret = .good) -> SignInModel {
        let model = SignInModel(app, carried: carried)
        (model.email, model.password) = (email, password.text)
        return model
    }

    @Test(arguments: Place.allCases) func `somebody signs up`(_ place: Place) async throws {
        let (house, email) = (try await place.house(), newAddress())
        let model = signUp(house.app(), email)
        (model.name, model.email, model.acceptsTerms) = ("", "nobody", false)
        await model.submit()
        #expect(
            model.fieldErrors == [
                .name: "Enter your name.", .email: "Enter an email address like name@example.com.",
                .terms: "Accept the terms to continue.",
            ])
        #expect(model.problem == nil)
        (model.name, model.email) = ("Ada Lovelace", email)
        #expect(model.fieldErrors == [.terms: "Accept the terms to continue."])
        #expect(model.password == Secret.good.text)
        model.acceptsTerms = true
        await model.submit()
        #expect((model.step, model.notice) == (.code, "If that address can be used, we have sent a code to it."))

        model.code = "000000"
        await model.submitCode()
        #expect(model.fieldErrors == [.code: "That code is wrong or has expired."])
        #expect(model.code == "000000")
        _ = try await house.code(mailedTo: email)
        await model.resend()
        #expect(model.notice?.utf8.starts(with: "If that address can be used, we have sent another".utf8) == true)
        model.code = try await house.code(mailedTo: email, number: 2).text
        await model.submitCode()
        guard case .done(let user) = model.step else { throw Unexpected(model.problem ?? "") }
        #expect(user.name == "Ada Lovelace")
        #expect((model.password, model.confirmation, model.code) == ("", "", ""))
    }

    @Test func `a password is forgotten once it has signed in`() async throws {
        let (stub, email) = (AuthServiceStub(), newAddress())
        await stub.addAccount(name: "Ada", email: email, password: .good)
        let model = signIn(stub, email)
        await model.submit()
        guard case .done = model.step else { throw Unexpected(model.problem ?? "") }
        #expect(model.password.isEmpty)
    }

    @Test func `a sign-up ends, although the terms were changed on the way`() async throws {
        let (stub, email) = (AuthServiceStub(), newAddress())
        let model = signUp(stub, email)
        await model.submit()
        await stub.raiseTerms()
        model.code = try #require(await stub.mailedCode(to: email)).text
        await model.submitCode()
        guard case .done(let user) = model.step else { throw Unexpected(model.problem ?? "") }
        #expect(user.email == email)
        var states = stub.sessions.makeAsyncIterator()
        #expect(await states.next() == .termsWanted(user))
    }

    @Test(arguments: Place.allCases) func `five wrong codes lead back to the form, filled`(_ place: Place) async throws
    {
        let (house, email) = (try await place.house(), newAddress())
        let model = signUp(house.app(), email)
        await model.submit()
        model.code = "000000"
        for _ in 1...4 { await model.submitCode() }
        #expect(model.step == .code)
        await model.submitCode()
        #expect((model.step, model.problem) == (.over, "That code is wrong or has expired."))
        #expect(model.canSubmit)
        model.startOver()
        #expect((model.step, model.email, model.password) == (.form, email, Secret.good.text))
        #expect(model.problem == nil && model.code.isEmpty)
    }

    @Test(arguments: Place.allCases) func `the owner of a taken address is told so`(_ place: Place) async throws {
        let (house, email) = (try await place.house(), newAddress())
        _ = try await house.newcomer(email)
        let model = signUp(house.app(), email)
        await model.submit()
        #expect(model.step == .code)
        model.code = try await house.code(mailedTo: email, number: 2).text
        await model.submitCode()
        #expect(model.step == .exists)
        #expect(model.problem == "An account with this email already exists. Try signing in instead.")
    }

    @Test func `passwords that differ are not sent`() async throws {
        let stub = AuthServiceStub()
        let model = signUp(stub, "ada@example.com")
        model.confirmation = Secret.other.text
        await model.submit()
        #expect(model.fieldErrors == [.confirmation: "The passwords don't match."])
        model.confirmation = ""
        await model.submit()
        #expect(model.fieldErrors == [.confirmation: "Repeat your password."])
        model.confirmation = nil
        await model.submit()
        #expect(model.step == .code)
    }

    @Test(arguments: Place.allCases) func `one sentence for a wrong login, and nothing is lost`(
        _ place: Place
    ) async throws {
        let (house, email) = (try await place.house(), newAddress())
        let app = try await house.newcomer(email)
        try await app.signOut()
        let model = signIn(app, email, .other)
        await model.submit()
        #expect((model.problem, model.fieldErrors) == ("Invalid email or password", [:]))
        #expect((model.email, model.password) == (email, Secret.other.text))
        model.password = Secret.good.text
        #expect(model.problem == nil)
        await model.submit()
        guard case .done(let user) = model.step else { throw Unexpected(model.problem ?? "") }
        #expect((user.email, model.password) == (email, ""))
    }

    @Test func `an address is typed once, and forgotten at the welcome view`() {
        let stub = AuthServiceStub()
        let signIn = signIn(stub, "ada@example.com")
        let (signUp, reset) = (SignUpModel(stub, carried: carried), ResetModel(stub, carried: carried))
        signUp.name = "Ada"
        #expect((signUp.email, reset.email) == ("ada@example.com", "ada@example.com"))
        reset.email = "eve@example.com"
        #expect(signIn.email == "eve@example.com")
        carried.forget()
        #expect((signIn.email, signUp.email, signUp.name, reset.email) == ("", "", "", ""))
    }

    @Test(arguments: Place.allCases) func `a second step is one way at a time`(_ place: Place) async throws {
        let (house, email) = (try await place.house(), newAddress())
        let app = try await house.newcomer(email)
        let setup = try await app.beginAuthenticator(currentPassword: nil)
        try await app.confirmAuthenticator(setup, code: try house.appCode(setup, later: 0), currentPassword: nil)
        let codes = try await app.makeRecoveryCodes(currentPassword: nil)
        try await app.signOut()

        let model = signIn(app, email)
        await model.submit()
        guard case .secondStep(let step) = model.step else { throw Unexpected(model.problem ?? "") }
        #expect((step.method, step.others) == (.totp, [.recoveryCode]))
        await step.submit()
        #expect(step.fieldErrors == [.code: "Enter the six digits from the app."])
        step.use(.recoveryCode)
        #expect((step.method, step.others) == (.recoveryCode, [.totp]))
        step.code = codes[0].text
        await step.submit()
        guard case .done(let user) = model.step else { throw Unexpected(step.problem ?? "") }
        #expect(user.email == email)

        await model.signOut()
        model.password = Secret.good.text
        await model.submit()
        guard case .secondStep(let last) = model.step else { throw Unexpected(model.problem ?? "") }
        last.code = "000000"
        for _ in 1...4 { await last.submit() }
        #expect((last.isOver, last.problem) == (false, nil))
        await last.submit()
        #expect((last.isOver, last.problem) == (true, "This sign-in has ended. Please sign in again."))
    }

    @Test(arguments: Place.allCases) func `a forgotten password is replaced`(_ place: Place) async throws {
        let (house, email) = (try await place.house(), newAddress())
        let app = try await house.newcomer(email)
        let model = ResetModel(app, carried: carried)
        await model.submit()
        #expect(model.fieldErrors == [.email: "Enter your email address."])
        model.email = email
        await model.submit()
        #expect((model.step, model.notice) == (.choose, "If that address can be used, we have sent a code to it."))
        (model.code, model.password, model.confirmation) = ("000000", Secret.other.text, Secret.other.text)
        await model.submitPassword()
        #expect(model.fieldErrors == [.code: "That code is wrong or has expired."])
        model.code = try await house.code(mailedTo: email, number: 2).text
        await model.submitPassword()
        #expect((model.step, model.password) == (.done, ""))
        #expect(model.notice == "Your password has been saved. Sign in with it.")
        let next = SignInModel(app, carried: carried)
        #expect(next.email == email)
    }

    @Test(arguments: Place.allCases) func `the strength follows what is typed`(_ place: Place) async throws {
        let model = signUp(try await place.house().app(), newAddress())
        model.password = "abc"
        try await eventually("an estimate") { model.strength }
        #expect(model.strength?.hint == "Use at least 8 characters.")
        model.password = Secret.good.text
        try await eventually("another estimate") { model.strength?.isAcceptable == true ? true : nil }
        #expect(model.strength?.label == "Strong")
        model.password = ""
        #expect(model.strength == nil)
    }

    @Test func `somebody new comes with Apple`() async throws {
        let model = SignInModel(AuthServiceStub(), carried: carried)
        await model.submit(ProviderCredential(identityToken: "token", nonce: "nonce", firstName: "Ada"))
        guard case .newPerson = model.step else { throw Unexpected(model.problem ?? "") }
        #expect((model.name, model.fieldErrors) == ("Ada", [:]))
        await model.submitNewPerson()
        #expect(model.fieldErrors == [.terms: "Accept the terms to continue."])
        model.acceptsTerms = true
        await model.submitNewPerson()
        guard case .done(let user) = model.step else { throw Unexpected(model.problem ?? "") }
        #expect(user.name == "Ada")
    }

    @Test func `terms that have changed come first`() async throws {
        let stub = AuthServiceStub()
        await stub.addAccount(name: "Ada", email: "ada@example.com", password: .good)
        await stub.raiseTerms()
        let model = signIn(stub, "ada@example.com")
        await model.submit()
        guard case .terms = model.step else { throw Unexpected(model.problem ?? "") }
        await model.signOut()
        guard case .form = model.step else { throw Unexpected(model.problem ?? "") }
        model.password = Secret.good.text
        await model.submit()
        await model.acceptTerms()
        guard case .done = model.step else { throw Unexpected(model.problem ?? "") }
    }
}
