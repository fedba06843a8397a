import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import PasswordHashing
@testable import Vestibule

/// Requests that were asked for no second factor, as the account had none, and are still running
/// when its owner adds one: they are asked then.
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
            #expect(reply.status == .forbidden && reply.code == "reauthentication_required")
            #expect(try await thief.isSignedIn())
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
            #expect(page.asksSecondProof)
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
            #expect(page.asksSecondProof)
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
            let (page, app) = try await answer(
                to: { try await thief.post("/account/sessions/end-others", fields) }, house,
                whileAdding: { try await owner.addApp(at: house.clock.now) })
            #expect(page.asksSecondProof)
            #expect(try await owner.isSignedIn())
            house.clock.advance(by: .seconds(30))
            // A person who also has the app can continue.
            let proof = ["csrf": page.csrf ?? "", "code": app.code(at: house.clock.now)]
            let ended = try await thief.post(try #require(page.heldForm), proof)
            #expect(ended.leads(to: "/account/devices", saying: .sessionsEnded))
            #expect(try await !owner.isSignedIn())
        }
    }

    @Test func `what was typed is still there after the proof, but for the password`() async throws {
        try await withHouse([.hashingThreads: "1"]) { house in
            let (owner, elsewhere) = (try await house.member(Self.email), house.visitor(at: "203.0.113.7"))
            try await elsewhere.logIn(email: Self.email)
            let (page, app) = try await answer(
                to: { try await elsewhere.askForEmail("new@example.com") }, house,
                whileAdding: { try await owner.addApp(at: house.clock.now) })
            #expect(page.asksSecondProof)
            house.clock.advance(by: .seconds(30))
            let proof = ["csrf": page.csrf ?? "", "code": app.code(at: house.clock.now)]
            let shown = try await elsewhere.post(try #require(page.heldForm), proof)
            #expect(shown.status == .unprocessableContent && shown.shows("value=\"new@example.com\""))
        }
    }

    @Test func `a request with a replaced token leads to the sign-in`() async throws {
        try await withHouse([.hashingThreads: "1"]) { house in
            let (owner, thief) = (try await house.member(Self.email), house.visitor(at: "203.0.113.7"))
            await thief.steal("vestibule", from: owner)
            let (page, _) = try await answer(
                to: { try await thief.askForEmail("thief@example.com") }, house,
                whileAdding: { try await owner.addApp(at: house.clock.now) })
            #expect(page.leads(to: "/login", saying: .signInFirst))
            #expect(try await owner.isSignedIn())
            #expect(try await !thief.isSignedIn())
        }
    }

    @Test(arguments: ["a wrong guess", App.goodPassword])
    func `a session that ends meanwhile does not learn whether a password is right`(guess: String) async throws {
        try await withHouse([.hashingThreads: "1"]) { house in
            let (owner, thief) = (try await house.member(Self.email), house.app(at: "203.0.113.7"))
            try await thief.signIn(Self.email)
            let fields = ["current_password": guess, "email": "thief@example.com"]
            let answer = try await house.whileHashing {
                let answer = Task { try await thief.call(.post, "user/email", fields) }
                try await house.until { house.services.hasher.waiting == 1 }
                try await owner.submit("/account/sessions/end-others")
                return answer
            }
            let reply = try await answer.value
            #expect(reply.status == .unauthorized && reply.code == "session_expired")
            #expect(try await house.failuresInARow("ada@example.com") == 1)
        }
    }
}
