import Foundation
import Testing
import VestibuleClient

/// Limits of a real server, and how long they last.
@Suite(.timeLimit(.minutes(2))) struct LimitTests {
    @Test func `too many sign-ins say when to try again`() async throws {
        let house = try await ServerHouse(["VESTIBULE_LIMIT_LOGIN": "2/10m/ip"])
        let app = house.client()
        for _ in 1...2 { _ = try await refusal { try await app.signIn(email: newAddress(), password: .good) } }
        let found = try await refusal { try await app.signIn(email: newAddress(), password: .good) }
        #expect(found.code == .rateLimited && !found.isFlowEnded)
        #expect((1...600).contains(try #require(found.retryAfter)))
        #expect(found.sentence.utf8.starts(with: "Too many attempts. Try again in ".utf8))
    }

    @Test @MainActor func `a form counts down, and then works again`() async throws {
        let house = try await ServerHouse(["VESTIBULE_LIMIT_LOGIN": "1/3s/ip"])
        let email = newAddress()
        _ = try await house.newcomer(email)
        let carried = CarriedFields()
        let model = SignInModel(house.client(), carried: carried)
        (model.email, model.password) = (email, Secret.other.text)
        await model.submit()
        #expect(model.problem == "Invalid email or password")
        await model.submit()
        #expect((1...3).contains(model.wait.secondsLeft) && !model.canSubmit)
        model.password = Secret.good.text
        await model.submit()
        guard case .form = model.step else { throw Unexpected("sent while it had to wait") }
        try await eventually("the end of the wait") { model.canSubmit ? true : nil }
        await model.submit()
        guard case .done(let user) = model.step else { throw Unexpected(model.problem ?? "") }
        #expect(user.email == email)
    }

    @Test @MainActor func `another code has its own wait`() async throws {
        let house = try await ServerHouse(["VESTIBULE_LIMIT_MAIL": "1/h/address"])
        let (email, carried) = (newAddress(), CarriedFields())
        let model = SignUpModel(house.client(), carried: carried)
        (model.name, model.email, model.acceptsTerms) = ("Ada", email, true)
        (model.password, model.confirmation) = (Secret.good.text, Secret.good.text)
        await model.submit()
        #expect(model.step == .code)
        await model.resend()
        #expect((1...3600).contains(model.resendWait.secondsLeft) && model.canSubmit)
        model.code = try await house.code(mailedTo: email).text
        await model.submitCode()
        guard case .done = model.step else { throw Unexpected(model.problem ?? "") }
    }
}
