package import Essentials
import HTTPTypes
package import Hummingbird

/// The object a call brings: `application/json`, strict UTF-8, each name at most once. Names nobody
/// asks for are ignored.
package struct JSONBody: Sendable {
    private let members: [String: JSONValue]

    /// The text of that name; empty when it was not sent. Throws 400 for another type.
    package func text(_ name: String) throws -> String {
        try textIfSent(name) ?? ""
    }

    /// The text of that name; `nil` when it was not sent, or as `null` where that may be. Throws
    /// 400 for another type.
    package func textIfSent(_ name: String, orNull: Bool = false) throws -> String? {
        switch members[name] {
        case nil: return nil
        case .null? where orNull: return nil
        case .string(let text)?: return text
        default: throw HTTPError(.badRequest, message: "“\(name)” must be a string.")
        }
    }

    /// The object of that name; `nil` when it was not sent, or as `null` where that may be. Throws
    /// 400 for another type.
    package func objectIfSent(_ name: String, orNull: Bool = false) throws -> JSONBody? {
        switch members[name] {
        case nil: return nil
        case .null? where orNull: return nil
        case .object(let members)?: return JSONBody(members: members)
        default: throw HTTPError(.badRequest, message: "“\(name)” must be an object.")
        }
    }

    /// As JSON.
    package var text: String { JSONValue.object(members).text }

    /// What was sent under that name.
    package subscript(_ name: String) -> JSONValue? { members[name] }
}

extension JSONBody {
    /// Nil for a call without a body: many clients send `Content-Type` even then.
    /// Throws as `init` does.
    package static func ifSent(_ request: Request) async throws -> JSONBody? {
        let bytes = try await Form.body(of: request)
        guard !bytes.isEmpty else { return nil }
        try checkType(of: request)
        return try JSONBody(bytes)
    }

    /// Throws `HTTPError`: 415 for another media type, 413 for too much, 400 for what is not one
    /// clean object.
    package init(_ request: Request) async throws {
        try Self.checkType(of: request)
        try self.init(await Form.body(of: request))
    }

    private static func checkType(of request: Request) throws {
        try Form.check("application/json", in: ["utf-8"], of: request)
    }

    private init(_ bytes: [UInt8]) throws {
        do throws(JSONParser.Fault) {
            guard case .object(let members) = try JSONParser.parse(bytes) else {
                throw JSONParser.Fault(reason: "The body is not a JSON object.")
            }
            self.init(members: members)
        } catch {
            throw HTTPError(.badRequest, message: error.reason)
        }
    }
}
