import Foundation
import Testing
import VestibuleClient

/// Servers whose clock is an hour ahead of the app's, or behind it.
@Suite(.timeLimit(.minutes(2))) struct ClockTests {
    @Test(arguments: [3600, -3600]) func `a session lasts as long as its server says`(_ ahead: Int) async throws {
        let lifetime = ["VESTIBULE_REMEMBER_LIFETIME": "30m", "VESTIBULE_REMEMBER_IDLE": "30m"]
        let (house, email, store) = (try await ServerHouse(lifetime, ahead: ahead), newAddress(), KeptToken(nil))
        _ = try await house.newcomer(email)
        _ = try await house.client(store).signIn(email: email, password: .good)
        let device = try #require(try await house.client(store).deviceSessions().first { $0.isCurrent })
        #expect(device.expiresAt.timeIntervalSince(device.createdAt) == 1800)
        // By the app's own clock the session has long ended, or has not begun.
        #expect((device.createdAt > Date()) == (ahead > 0))
        #expect((device.expiresAt < Date()) == (ahead < 0))
        #expect(try await house.client(store).restore().user?.email == email)

        let later = try await house.restarted(later: 1801)
        #expect(try await later.client(store).restore() == .ended)
        #expect(store.load() == nil)
    }

    @Test(arguments: [3600, -3600]) @MainActor func `a wait is as long as its server says`(
        _ ahead: Int
    ) async throws {
        let house = try await ServerHouse(["VESTIBULE_LIMIT_LOGIN": "1/10m/ip"], ahead: ahead)
        let email = newAddress()
        _ = try await house.newcomer(email)
        _ = try await house.client().signIn(email: email, password: .good)
        let model = SignInModel(house.client(), carried: CarriedFields())
        (model.email, model.password) = (email, Secret.good.text)
        await model.submit()
        #expect((1...600).contains(model.wait.secondsLeft) && !model.canSubmit)

        let later = try await house.restarted(later: 600)
        let again = SignInModel(later.client(), carried: CarriedFields())
        (again.email, again.password) = (email, Secret.good.text)
        await again.submit()
        guard case .done = again.step else { throw Unexpected(again.problem ?? "") }
    }

    @Test(arguments: [3600, -3600]) func `a code lasts as long as its server says`(_ ahead: Int) async throws {
        let (house, email) = (try await ServerHouse(ahead: ahead), newAddress())
        _ = try await house.newcomer(email)
        let (early, late) = (house.client(), newAddress())
        let flow = try await early.requestReset(email: email)
        let code = try await house.code(mailedTo: email, number: 2)
        let asked = try await early.signUp(name: "Ada", email: late, password: .good, acceptsTerms: true)
        guard case .codeWanted(let signUp) = asked else { throw Unexpected(asked) }
        let lateCode = try await house.code(mailedTo: late)

        let soon = try await house.restarted(later: 540)
        try await soon.client().reset(flow: flow, code: code, password: .other)
        let over = try await soon.restarted(later: 120)
        let expired = try await refusal { try await over.client().verifySignUp(flow: signUp, code: lateCode) }
        #expect(expired.code == .otpIncorrect)
    }
}
