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
}
