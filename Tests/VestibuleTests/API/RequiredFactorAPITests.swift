import HTTPTypes
import Testing

@testable import Essentials
@testable import Vestibule

/// `VESTIBULE_SECOND_FACTOR=required`, and an account without one.
@Suite(.timeLimit(.minutes(15)))
struct RequiredFactorAPITests {
    @Test func `an app is told to add a second factor after it has signed in`() async throws {
        try await withHouse([.secondFactor: "required"]) { house in
            _ = try await house.appMember("ada@example.com")
            let app = house.app()
            #expect(try await app.signIn("ada@example.com").status == .ok)
            let refused = try await app.call(.get, "user")
            #expect(refused.status == .forbidden && refused.code == "second_factor_required")
            #expect(refused["flow"] == nil && refused["methods.0"] == nil)
        }
    }

    @Test(
        arguments: [
            (HTTPRequest.Method.get, "session", nil), (.post, "user/export", nil), (.post, "factors/totp", nil),
            (.post, "factors/passkeys/options", nil), (.delete, "user", ["current_password": App.goodPassword]),
            (.post, "sign-out", nil),
        ] as [(HTTPRequest.Method, String, [String: String]?)])
    func `what adds a second factor works without one, and what leaves`(
        method: HTTPRequest.Method, path: String, body: [String: String]?
    ) async throws {
        try await withHouse([.secondFactor: "required"]) { house in
            let app = try await house.appMember("ada@example.com")
            let leaves = ["user", "sign-out"].contains(path)
            #expect(try await app.call(method, path, body).status == (leaves ? .noContent : .ok))
        }
    }
}
