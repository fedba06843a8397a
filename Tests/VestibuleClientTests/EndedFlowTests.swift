import Foundation
import Testing
import VestibuleClient

/// Flows that wait for a code no more, over the stub and over a real server.
@MainActor @Suite(.timeLimit(.minutes(5))) struct EndedFlowTests {
    private func signUp(_ app: any AuthService, _ email: String) -> SignUpModel {
        let model = SignUpModel(app, carried: CarriedFields())
        (model.name, model.email, model.acceptsTerms) = ("Ada Lovelace", email, true)
        (model.password, model.confirmation) = (Secret.good.text, Secret.good.text)
        return model
    }

    @Test(arguments: Place.allCases) func `a sign-up that is done has ended`(_ place: Place) async throws {
        let (house, email) = (try await place.house(), newAddress())
        let app = house.app()
        let asked = try await app.signUp(name: "Ada", email: email, password: .good, acceptsTerms: true)
        guard case .codeWanted(let flow) = asked else { throw Unexpected(asked) }
        let code = try await house.code(mailedTo: email)
        _ = try await app.verifySignUp(flow: flow, code: code)
        let twice = try await refusal { try await app.verifySignUp(flow: flow, code: code) }
        #expect((twice.code, twice.isFlowEnded) == (.otpIncorrect, true))
        #expect(twice.sentence == "That code is wrong or has expired.")
    }

    @Test(arguments: Place.allCases) func `a reset that is done has ended`(_ place: Place) async throws {
        let (house, email) = (try await place.house(), newAddress())
        let app = try await house.newcomer(email)
        let flow = try await app.requestReset(email: email)
        let code = try await house.code(mailedTo: email, number: 2)
        try await app.reset(flow: flow, code: code, password: .other)
        let twice = try await refusal { try await app.reset(flow: flow, code: code, password: .other) }
        #expect((twice.code, twice.isFlowEnded) == (.otpIncorrect, true))
        #expect(try await refusal { try await app.resendResetCode(flow: flow) }.isFlowEnded)
    }

    @Test(arguments: Place.allCases) func `a change of address that is done has ended`(_ place: Place) async throws {
        let (house, email, new) = (try await place.house(), newAddress(), newAddress())
        let app = try await house.newcomer(email)
        let flow = try await app.requestEmailChange(to: new, currentPassword: .good)
        let code = try await house.code(mailedTo: new)
        _ = try await app.changeEmail(flow: flow, code: code)
        let twice = try await refusal { try await app.changeEmail(flow: flow, code: code) }
        #expect((twice.code, twice.isFlowEnded) == (.otpIncorrect, true))
        #expect(try await refusal { try await app.resendEmailChangeCode(flow: flow) }.isFlowEnded)
    }

    @Test(arguments: Place.allCases) func `after five wrong codes a sign-up is over`(_ place: Place) async throws {
        let model = signUp(try await place.house().app(), newAddress())
        await model.submit()
        model.code = "000000"
        for _ in 1...4 { await model.submitCode() }
        #expect(model.step == .code)
        await model.submitCode()
        #expect((model.step, model.problem) == (.over, "That code is wrong or has expired."))
    }

    @Test(arguments: Place.allCases) func `after five wrong codes a new address is asked for again`(
        _ place: Place
    ) async throws {
        let app = try await place.house().newcomer(newAddress())
        guard case .signedIn(let user) = try await app.restore() else { throw Unexpected("nobody") }
        let model = AccountModel(app, user: user)
        (model.email, model.currentPassword) = (newAddress(), Secret.good.text)
        await model.requestEmailChange()
        model.code = "000000"
        for _ in 1...4 { await model.submitEmailCode() }
        #expect(model.awaitsEmailCode)
        await model.submitEmailCode()
        #expect(!model.awaitsEmailCode)
        #expect(model.problem == "That code is wrong or has expired.")
    }
}
