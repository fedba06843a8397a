import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import PasswordHashing
@testable import Vestibule

/// Requests that were asked for no second factor, as the account had none, and are still running
/// when its owner adds one.
@Suite(.timeLimit(.minutes(15)))
struct LateStepUpTests {
    private static let email = "ada@example.com"
    private static let newPassword = "another horse battery"

    /// Sends a request, holds back the check of its password until a factor was added, and
    /// returns both.
    private func answer<Answer: Sendable>(
        to request: @escaping @Sendable () async throws -> Answer, _ house: House,
        whileAdding add: () async throws -> AuthenticatorApp
    ) async throws -> (Answer, AuthenticatorApp) {
        let (answer, app) = try await house.whileHashing {
            let answer = Task { try await request() }
            try await house.until { house.services.hasher.waiting == 1 }
            return (answer, try await add())
        }
        return (try await answer.value, app)
    }

    @Test func `a call of the API changes no password if a factor is added meanwhile`() async throws {
        try await withHouse([.hashingThreads: "1"]) { house in
            let (owner, thief) = (try await house.member(Self.email), house.app(at: "203.0.113.7"))
            try await thief.signIn(Self.email)
            let fields = ["current_password": App.goodPassword, "password": Self.newPassword]
            let (reply, _) = try await answer(
                to: { try await thief.call(.post, "user/password", fields) }, house,
                whileAdding: { try await owner.addApp(at: house.clock.now) })
            #expect(reply.status == .unauthorized && reply.code == "session_expired")
            #expect(try await house.visitor().logIn(email: Self.email).location == "/login/second")
        }
    }

    @Test func `a form changes no password if a factor is added meanwhile`() async throws {
        try await withHouse([.hashingThreads: "1"]) { house in
            let (owner, thief) = (try await house.member(Self.email), house.visitor(at: "203.0.113.7"))
            try await thief.logIn(email: Self.email)
            let fields = [
                "csrf": try await thief.get("/account/password").csrf ?? "", "current_password": Browser.goodPassword,
                "password": Self.newPassword, "password_confirmation": Self.newPassword,
            ]
            let (page, _) = try await answer(
                to: { try await thief.post("/account/password", fields) }, house,
                whileAdding: { try await owner.addApp(at: house.clock.now) })
            #expect(page.leads(to: "/login", saying: .signInFirst))
            #expect(try await house.visitor().logIn(email: Self.email).location == "/login/second")
        }
    }

    @Test func `a held form does not replace an app that is added while its password is checked`() async throws {
        try await withHouse([.hashingThreads: "1"]) { house in
            let (owner, thief) = (try await house.member(Self.email), house.visitor(at: "203.0.113.7"))
            try await thief.logIn(email: Self.email)
            let shown = try await thief.get(Browser.appPage)
            house.clock.advance(by: .seconds(600))
            let code = try AuthenticatorApp(typing: try #require(shown.appKey)).code(at: house.clock.now)
            let asked = try await thief.confirmApp(shown, code: code)
            let (form, csrf) = (try #require(asked.heldForm), asked.csrf ?? "")
            try await owner.logIn(email: Self.email)
            let (page, app) = try await answer(
                to: { try await thief.post(form, ["csrf": csrf, "current_password": Browser.goodPassword]) }, house,
                whileAdding: { try await owner.addApp(at: house.clock.now) })
            #expect(page.leads(to: "/login", saying: .signInFirst))
            house.clock.advance(by: .seconds(30))
            let visitor = house.visitor()
            try await visitor.logIn(email: Self.email)
            #expect(try await visitor.second(code: app.code(at: house.clock.now)).location == "/account")
        }
    }

    @Test func `a form with the password ends no session if a factor is added meanwhile`() async throws {
        try await withHouse([.hashingThreads: "1"]) { house in
            let (owner, thief) = (try await house.member(Self.email), house.visitor(at: "203.0.113.7"))
            try await thief.logIn(email: Self.email)
            house.clock.advance(by: .seconds(600))
            try await owner.logIn(email: Self.email)
            let csrf = try await thief.get("/account/devices").csrf ?? ""
            let fields = ["csrf": csrf, "current_password": Browser.goodPassword]
            let (page, _) = try await answer(
                to: { try await thief.post("/account/sessions/end-others", fields) }, house,
                whileAdding: { try await owner.addApp(at: house.clock.now) })
            #expect(page.leads(to: "/login", saying: .signInFirst))
            #expect(try await owner.isSignedIn())
        }
    }
}
