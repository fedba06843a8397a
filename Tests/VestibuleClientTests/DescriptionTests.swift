import Foundation
import Testing

@testable import VestibuleClient

/// The client has a case for all that the server describes.
@Suite struct DescriptionTests {
    private struct Description: Decodable {
        struct Call: Decodable { let operationId: String }
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

    private func description() throws -> Description {
        let file = (1...3).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
            .appending(path: "Templates/api/openapi.json")
        return try JSONDecoder().decode(Description.self, from: Data(contentsOf: file))
    }

    @Test func `every call has a case, and no other`() throws {
        let described = try description().paths.flatMap { path, calls in
            calls.map { "\($0.value.operationId): \($0.key.uppercased()) \(path.dropFirst("/api/auth/".count))" }
        }
        let known = Operation.allCases.map { "\($0.rawValue): \($0.line.method) \($0.line.path)" }
        #expect(Set(described).subtracting(["describe: GET openapi.json"]) == Set(known))
    }

    @Test func `every code has a case, and no other`() throws {
        let codes = try #require(try description().components.schemas.Code.enum)
        #expect(Set(codes) == Set(Refusal.Code.allCases.map(\.rawValue)))
    }

    @Test func `every second factor has a case, and no other`() throws {
        let methods = try #require(try description().components.schemas.SecondStep.properties?["method"]?.enum)
        #expect(Set(methods) == Set(SecondFactorMethod.allCases.map(\.rawValue)))
    }
}
