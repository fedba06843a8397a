import Foundation
import Testing
import VestibuleClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The client has a call and a case for all that a server describes.
@Suite(.timeLimit(.minutes(2))) struct DescriptionTests {
    private struct Description: Decodable {
        struct Call: Decodable {
            let operationId: String
            let security: [[String: [String]]]
        }
        struct Components: Decodable { let schemas: Schemas }
        struct Schemas: Decodable {
            let Code, SecondStep: Schema
        }
        struct Schema: Decodable {
            let `enum`: [String]?
            let properties: [String: Method]?
        }
        struct Method: Decodable { let `enum`: [String]? }
        let paths: [String: [String: Call]]
        let components: Components
    }

    /// As the server gives it out.
    private func description() async throws -> Description {
        let url = try await ServerHouse.shared.url.appending(path: "api/auth/openapi.json")
        return try JSONDecoder().decode(Description.self, from: try await URLSession.shared.data(from: url).0)
    }

    @Test func `every call is sent by a method, and no other is sent`() async throws {
        let described = try await description().paths.flatMap { path, calls in
            calls.keys.map { "\($0.uppercased()) \(path)" }
        }
        let wire = try Wire { _ in Wire.answer("404 Not Found", "text/html", "") }
        for call in everyCall {
            // One client each: some forget the token.
            let client = AuthClient(server: wire.url, store: KeptToken("kept"))
            await #expect(throws: NetworkTrouble.strangeAnswer) { try await call(client) }
        }
        let sent = wire.requests.compactMap { request in
            request.firstMatch(of: #/^([A-Z]+ [^ ]+)/#).map { String($0.1).removingPercentEncoding ?? "" }
        }
        #expect(sent.count == everyCall.count)
        #expect(Set(described).subtracting(["GET /api/auth/openapi.json"]) == Set(sent))
    }

    @Test func `exactly what needs a session is known to need one`() async throws {
        for (path, calls) in try await description().paths {
            for (method, call) in calls where call.operationId != "describe" {
                let operation = VestibuleClient.Operation.allCases.first { "\($0)" == call.operationId }
                #expect(operation?.needsSession == !call.security.isEmpty, "\(method) \(path)")
            }
        }
    }

    @Test func `every code has a case, and no other`() async throws {
        let codes = try #require(try await description().components.schemas.Code.enum)
        #expect(Set(codes) == Set(Refusal.Code.allCases.map(\.rawValue)))
    }

    @Test func `every second factor has a case, and no other`() async throws {
        let step = try await description().components.schemas.SecondStep
        let methods = try #require(step.properties?["method"]?.enum)
        #expect(Set(methods) == Set(SecondFactorMethod.allCases.map(\.rawValue)))
    }
}
