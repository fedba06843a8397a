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
