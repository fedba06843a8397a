import HTTPTypes
import Testing

@testable import Essentials
@testable import PasswordHashing
@testable import Vestibule

@Suite("New passwords are judged after the limits", .timeLimit(.minutes(15)))
struct PasswordJudgeTests {
    private static let formsAMinute = 120
    private static let guessable = Browser.signupFields(email: "ada@example.com", password: "password1")

    @Test func `a client address has 120 refused sign-up forms a minute`() async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            for _ in 0..<Self.formsAMinute {
                #expect(try await visitor.post("/signup", Self.guessable).status == .unprocessableContent)
            }
            let refused = try await visitor.post("/signup", Self.guessable)
            #expect(refused.status == .tooManyRequests && refused.headers[.retryAfter] == "1")
            #expect(refused.shows("Too many attempts.") && refused.shows("value=\"ada@example.com\""))
            let neighbour = try await house.visitor(at: "192.0.2.2").post("/signup", Self.guessable)
            #expect(neighbour.status == .unprocessableContent)
            house.clock.advance(by: .seconds(1))
            #expect(try await visitor.signUp(email: "ada@example.com").location == "/signup/verify")
        }
    }

    @Test func `somebody who corrects a form thirty times signs up with the next`() async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            for _ in 0..<30 { try await visitor.post("/signup", Self.guessable) }
            #expect(try await visitor.signUp(email: "ada@example.com").location == "/signup/verify")
        }
    }

    @Test func `forms without a password that could be judged count as well`() async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            for _ in 0..<Self.formsAMinute { try await visitor.post("/signup", [:]) }
            #expect(try await visitor.post("/signup", [:]).status == .tooManyRequests)
        }
    }

    @Test func `every form with a new password counts, on pages and for apps`() async throws {
        try await withHouse { house in
            let (member, forgetful) = (try await house.member("ada@example.com"), house.visitor())
            let (memberApp, forgetfulApp) = (try await house.appMember("bob@example.com"), house.app())
            try await forgetful.post("/reset", ["email": "ada@example.com"])
            let flow = try await forgetfulApp.call(.post, "password-reset", ["email": "bob@example.com"])["flow"]
            let csrf = try await member.get("/account/password").csrf ?? ""
            for _ in 0..<Self.formsAMinute { try await house.visitor().post("/signup", Self.guessable) }
            let new = ["password": Browser.goodPassword, "password_confirmation": Browser.goodPassword]
            let change = new.merging(["csrf": csrf, "current_password": Browser.goodPassword]) { $1 }
            #expect(try await member.post("/account/password", change).status == .tooManyRequests)
            let reset = new.merging(["code": "123456"]) { $1 }
            #expect(try await forgetful.post("/reset/verify", reset).status == .tooManyRequests)
            #expect(try await house.app().signUp("eve@example.com").code == "rate_limited")
            let json = ["flow": flow, "code": "123456", "password": Browser.goodPassword]
            #expect(try await forgetfulApp.call(.post, "password-reset/verify", json).code == "rate_limited")
            let body = ["password": Browser.goodPassword, "current_password": Browser.goodPassword]
            #expect(try await memberApp.call(.post, "user/password", body).code == "rate_limited")
        }
    }

    @Test func `the meter has a limit to itself`() async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            for _ in 0..<Self.formsAMinute {
                #expect(try await visitor.post("/signup/strength", Self.guessable).status == .ok)
            }
            let refused = try await visitor.post("/signup/strength", Self.guessable)
            #expect(refused.status == .tooManyRequests && refused.headers[.retryAfter] == "1")
            #expect(try await visitor.post("/signup", Self.guessable).status == .unprocessableContent)
        }
    }

    @Test func `a clock that is put back keeps nobody waiting`() async throws {
        try await withHouse { house in
            let visitor = house.visitor()
            _ = try await visitor.post("/signup/strength", Self.guessable)
            house.clock.set(by: -7200)
            #expect(try await visitor.post("/signup/strength", Self.guessable).status == .ok)
        }
    }

    /// With the hashing threads gone, whatever asks for an estimate fails.
    @Test func `a limit that is used up saves the estimate, which waits for a hashing thread`() async throws {
        try await withHouse { house in
            let (mistaken, eager, other) = (
                house.visitor(), house.visitor(at: "192.0.2.2"), house.visitor(at: "192.0.2.3")
            )
            for _ in 0..<Self.formsAMinute { try await mistaken.post("/signup", Self.guessable) }
            for number in 0...10 { try await eager.signUp(email: "user\(number)@example.com") }
            house.services.hasher.stop()
            #expect(try await mistaken.post("/signup", Self.guessable).status == .tooManyRequests)
            #expect(try await eager.post("/signup", Self.guessable).status == .tooManyRequests)
            #expect(try await other.post("/signup", Self.guessable).status == .internalServerError)
            #expect(try await other.post("/signup/strength", Self.guessable).status == .internalServerError)
            #expect(try await other.post("/signup", [:]).status == .unprocessableContent)
        }
    }
}
