import HTTPTypes
import Testing

@testable import Essentials
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct PasswordResetAPITests {
    @Test func `a forgotten password is replaced with a code, and every session ends`() async throws {
        try await withHouse { house in
            let app = try await house.appMember("ada@example.com")
            let other = house.app()
            let asked = try await other.call(.post, "password-reset", ["email": "ada@example.com"])
            #expect(asked.status == .accepted && asked["status"] == nil)
            let code = try await house.mailbox.code(for: "ada@example.com")
            let new = "staple horse battery"
            let weak = ["flow": asked["flow"], "code": code, "password": "1234"]
            let refused = try await other.call(.post, "password-reset/verify", weak)
            #expect(refused.code == "validation_failed" && refused["errors.0.code"] == "too_short")
            let form = ["flow": asked["flow"], "code": code, "password": new]
            #expect(try await other.call(.post, "password-reset/verify", form).status == .noContent)
            #expect(await other.token == nil)
            #expect(try await other.call(.post, "password-reset/verify", form).code == "otp_incorrect")
            #expect(try await !app.isSignedIn())
            #expect(try await other.signIn("ada@example.com").status == .unauthorized)
            #expect(try await other.signIn("ada@example.com", password: new).status == .ok)
        }
    }

    @Test func `an unknown address is answered like a known one`() async throws {
        try await withHouse { house in
            let reply = try await house.app().call(.post, "password-reset", ["email": "nobody@example.com"])
            #expect(reply.status == .accepted && reply["flow"]?.utf8.count == 43)
            _ = try await house.appMember("ada@example.com")
            #expect(await house.mailbox.count(to: "nobody@example.com") == 0)
            let none = try await house.app().call(.post, "password-reset", ["email": "nobody"])
            #expect(none.code == "validation_failed" && none["errors.0.field"] == "email")
        }
    }
}
