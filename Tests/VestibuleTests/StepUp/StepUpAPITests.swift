import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// Calls that decide who opens an account.
@Suite(.timeLimit(.minutes(15)))
struct StepUpAPITests {
    struct Call: Sendable, CustomTestStringConvertible {
        let method: HTTPRequest.Method
        let path: String
        var body: [String: String]?
        let answer: HTTPResponse.Status

        var testDescription: String { "\(method) \(path)" }
    }

    private static let email = "ada@example.com"
    private static let password = ["current_password": App.goodPassword]

    static let calls = [
        Call(
            method: .post, path: "user/password", body: ["password": "another horse battery"].merging(password) { $1 },
            answer: .ok),
        Call(
            method: .post, path: "user/email", body: ["email": "new@example.com"].merging(password) { $1 },
            answer: .accepted),
        Call(method: .delete, path: "user", body: password, answer: .noContent),
        Call(method: .delete, path: "sessions/none", answer: .notFound),
        Call(method: .post, path: "factors/passkeys/options", answer: .ok),
        Call(method: .delete, path: "factors/passkeys/none", answer: .notFound),
        Call(method: .post, path: "factors/passkeys/none/rename", body: ["name": "Phone"], answer: .notFound),
        Call(method: .post, path: "factors/totp", answer: .ok),
        Call(
            method: .post, path: "factors/totp/confirm", body: ["setup": "none", "code": "123456"],
            answer: .unprocessableContent),
        Call(method: .delete, path: "factors/totp", answer: .notFound),
        Call(method: .post, path: "factors/recovery-codes", answer: .ok),
        Call(
            method: .post, path: "user/email/verify", body: ["flow": "none", "code": "123456"],
            answer: .unprocessableContent),
        Call(method: .post, path: "user/email/resend", body: ["flow": "none"], answer: .unprocessableContent),
        Call(method: .post, path: "user/export", answer: .ok),
    ]

    @Test(arguments: calls)
    func `it is refused until a second factor is proved, whatever password it brings`(call: Call) async throws {
        try await withHouse { house in
            let (_, key) = try await house.memberWithPasskey(Self.email)
            let app = house.app(at: "203.0.113.7")
            try await app.signIn(with: key)
            house.clock.advance(by: .seconds(600))
            let refused = try await app.call(call.method, call.path, call.body)
            #expect(refused.status == .forbidden && refused.code == "reauthentication_required")
            let old = await app.token
            let proved = try await app.prove(with: key)
            #expect(proved.status == .ok)
            #expect(await app.token != old)
            #expect(try await !house.app(token: old).isSignedIn())
            #expect(try await app.call(call.method, call.path, call.body).status == call.answer)
        }
    }

    @Test func `who does not accept raised terms can prove a second factor, and leave`() async throws {
        let store = try await sharedStore()
        try await withHouse(store: store) { before in
            let (_, key) = try await before.memberWithPasskey(Self.email)
            try await withHouse([.termsVersion: "2"], store: store) { house in
                let app = house.app(at: "203.0.113.7")
                try await app.signIn(with: key)
                let browser = house.visitor()
                #expect(try await browser.logIn(with: key).location?.hasPrefix("/account/terms") == true)
                house.clock.advance(by: .seconds(600))
                #expect(try await app.call(.patch, "user", ["name": "A"]).code == "terms_required")
                #expect(try await app.call(.post, "user/export").code == "reauthentication_required")
                #expect(try await app.prove(with: key).status == .ok)
                #expect(try await app.call(.post, "user/export").status == .ok)
                let asked = try await browser.submit("/account/export")
                #expect(asked.heldForm != nil)
                let page = try #require(try await browser.prove(asked, with: key).location)
                #expect(try await browser.get(page).heading == "Here is your data")
            }
        }
    }

    @Test(arguments: calls)
    func `the description of a call names the proof that it takes`(call: Call) async throws {
        try await withHouse { house in
            let page = try await house.visitor().get("/api/auth/openapi.json")
            let whole = try JSONSerialization.jsonObject(with: Data(page.body.utf8)) as? [String: Any]
            let paths = whole?["paths"] as? [String: [String: [String: Any]]]
            let path = "/api/auth/\(call.path.replacing("none", with: "{id}"))"
            let operation = paths?[path]?[call.method.rawValue.lowercased()]
            #expect((operation?["description"] as? String)?.contains("`factors/proof`") == true)
        }
    }

    @Test func `reading needs no proof`() async throws {
        try await withHouse { house in
            let (_, key) = try await house.memberWithPasskey(Self.email)
            let app = house.app(at: "203.0.113.7")
            try await app.signIn(with: key)
            house.clock.advance(by: .seconds(600))
            for path in ["user", "session", "sessions"] { #expect(try await app.call(.get, path).status == .ok) }
        }
    }

    @Test func `a wrong proof is refused and counts`() async throws {
        try await withHouse { house in
            let (_, key) = try await house.memberWithPasskey(Self.email)
            let app = house.app(at: "203.0.113.7")
            try await app.signIn(with: key)
            for count in 1...3 {
                let wrong = try await app.call(.post, "factors/proof", ["code": "123456"])
                #expect(wrong.status == .unprocessableContent && wrong.code == "otp_incorrect")
                #expect(try await house.failuresInARow("ada@example.com") == count)
            }
        }
    }

    @Test func `a passkey is added with a recent password only, which is asked for before it is made`() async throws {
        try await withHouse { house in
            let app = try await house.appMember(Self.email)
            var key = Authenticator(number: 1)
            let begun = try await app.call(.post, "factors/passkeys/options")["challenge"] ?? ""
            house.clock.advance(by: .seconds(600))
            let added = try await app.call(.post, "factors/passkeys", ["challenge": begun])
            for refused in [try await app.call(.post, "factors/passkeys/options"), added] {
                #expect(refused.status == .forbidden && refused.code == "reauthentication_required")
                #expect(refused["errors.0.code"] == "missing")
            }
            let wrong = try await app.call(.post, "factors/passkeys/options", ["current_password": "wrong"])
            #expect(wrong.status == .unprocessableContent && wrong.code == "invalid_credentials")
            #expect(try await app.add(&key, password: App.goodPassword).status == .ok)
            #expect(try await app.isSignedIn())
            #expect(try await house.factors(of: Self.email).asksSecondStep)
        }
    }
}
