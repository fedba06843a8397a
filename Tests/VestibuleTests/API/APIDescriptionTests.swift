import Foundation
import HTTPTypes
import Testing

@testable import Essentials
@testable import Vestibule

/// What `/api/auth/openapi.json` says, and what a server says.
@Suite(.timeLimit(.minutes(15)))
struct APIDescriptionTests {
    private struct Description: Decodable {
        struct Call: Decodable {
            let operationId: String
            let responses: [String: Nothing]
            let parameters: [Parameter]?
        }
        struct Parameter: Decodable {
            let ref: String?

            private enum CodingKeys: String, CodingKey { case ref = "$ref" }
        }
        struct Nothing: Decodable {}
        let paths: [String: [String: Call]]
    }

    @Test func `a call that the settings take away is described as one that may not be there`() async throws {
        try await withHouse([.passkeys: "off", .secondFactor: "off"]) { house in
            let app = try await house.appMember("ada@example.com")
            let text = try await app.call(.get, "openapi.json").body
            var missing: [String] = []
            for (path, calls) in try JSONDecoder().decode(Description.self, from: Data(text.utf8)).paths {
                for (name, call) in calls where !["describe", "signOut", "deleteUser"].contains(call.operationId) {
                    let method = try #require(HTTPRequest.Method(name.uppercased()))
                    let local = path.replacing("/api/auth/", with: "").replacing("{id}", with: "none")
                    let reply = try await app.call(method, local, method == .get ? nil : [String: String]())
                    guard reply.status == .notFound else { continue }
                    missing.append(call.operationId)
                    #expect(call.responses["404"] != nil, "\(call.operationId)")
                }
            }
            #expect(missing.contains("signInWithPasskey") && missing.contains("confirmTOTP"))
        }
    }

    @Test func `what is written in the language of a call is described with the header that names it`() async throws {
        try await withHouse { house in
            let (app, german) = (house.app(), ["Accept-Language": "de-AT"])
            let form = ["email": "ada@example.com", "password": App.goodPassword, "name": "Ada", "terms": "accepted"]
            let begun = try await app.call(.post, "sign-up", form, headers: german)["flow"] ?? ""
            let code = try await house.mailbox.code(
                for: "ada@example.com", subject: "Ihr Code zum Anlegen des Kontos")
            try await app.call(.post, "sign-up/verify", ["flow": begun, "code": code])
            #expect(try await app.call(.post, "user/export")["consents.0.locale"] == "de")
            try await app.call(.post, "password-reset", ["email": "ada@example.com"], headers: german)
            _ = try await house.mailbox.next(to: "ada@example.com", subject: "Ihr Code für ein neues Passwort")
            let move = ["email": "new@example.com", "current_password": App.goodPassword]
            let flow = try await app.call(.post, "user/email", move, headers: german)["flow"]
            let heading = "Ihr Code für die neue E-Mail-Adresse"
            _ = try await house.mailbox.next(to: "new@example.com", subject: heading)
            try await app.call(.post, "user/email/resend", ["flow": flow], headers: german)
            _ = try await house.mailbox.next(to: "new@example.com", subject: heading)

            let text = try await app.call(.get, "openapi.json").body
            let calls = try JSONDecoder().decode(Description.self, from: Data(text.utf8)).paths.values.flatMap(\.values)
            let header = "#/components/parameters/AcceptLanguage"
            let named = calls.filter { $0.parameters?.contains { $0.ref == header } == true }
            let inLanguage: Set = [
                "getTerms", "signUp", "signInSocial", "acceptTerms", "requestPasswordReset", "requestEmailChange",
                "resendEmailChangeCode",
            ]
            #expect(Set(named.map(\.operationId)) == inLanguage)
        }
    }

    @Test func `the examples of refusals say what a server says`() async throws {
        try await withHouse { house in
            let app = try await house.appMember("ada@example.com")
            let stranger = house.app()
            let json = ["Content-Type": "application/json"]
            let said = [
                "PasskeyRefused": try await stranger.call(.post, "sign-in/passkey", [String: String]()),
                "WrongCredentials": try await stranger.signIn("ada@example.com", password: "wrong"),
                "Unauthorized": try await stranger.call(.get, "user"),
                "NotFound": try await app.call(.delete, "sessions/none"),
                "TooLarge": try await app.call(
                    .post, "sign-in", raw: Array(repeating: 0x20, count: 70_000), headers: json),
                "NotJSON": try await app.call(.post, "sign-in", raw: [], headers: ["Content-Type": "text/plain"]),
            ]
            let description = try await app.call(.get, "openapi.json")
            for (name, reply) in said {
                let example = "components.responses.\(name).content.application/problem+json.example"
                #expect(reply["detail"] != nil && reply["detail"] == description["\(example).detail"], "\(name)")
                #expect(reply["title"] == description["\(example).title"], "\(name)")
                #expect(reply.code == description["\(example).code"], "\(name)")
            }
        }
    }
}
