import Essentials
import HTTPTypes
import Hummingbird

/// The object a call brings: `application/json`, strict UTF-8, each name at most once. Names nobody asks for are ignored.
struct JSONBody: Sendable {
    private let members: [String: JSONValue]

    /// Throws `HTTPError`: 415 for another media type, 413 for too much, 400 for what is not one clean object.
    init(_ request: Request) async throws {
        guard Self.isJSON(request.headers[.contentType] ?? "") else { throw HTTPError(.unsupportedMediaType) }
        let bytes = try await Form.body(of: request)
        do throws(JSONParser.Fault) {
            guard case .object(let members) = try JSONParser.parse(bytes) else {
                throw JSONParser.Fault(reason: "The body is not a JSON object.")
            }
            self.members = members
        } catch {
            throw HTTPError(.badRequest, message: error.reason)
        }
    }

    private init(members: [String: JSONValue]) {
        self.members = members
    }

    /// The text of that name; empty when it was not sent. Throws 400 for another type.
    func text(_ name: String) throws -> String {
        try textIfSent(name) ?? ""
    }

    /// The text of that name; `nil` when it was not sent, or as `null` where that may be. Throws 400 for another type.
    func textIfSent(_ name: String, orNull: Bool = false) throws -> String? {
        switch members[name] {
        case nil: return nil
        case .null? where orNull: return nil
        case .string(let text)?: return text
        default: throw HTTPError(.badRequest, message: "“\(name)” must be a string.")
        }
    }

    /// The object of that name; `nil` when it was not sent, or as `null` where that may be. Throws 400 for another type.
    func objectIfSent(_ name: String, orNull: Bool = false) throws -> JSONBody? {
        switch members[name] {
        case nil: return nil
        case .null? where orNull: return nil
        case .object(let members)?: return JSONBody(members: members)
        default: throw HTTPError(.badRequest, message: "“\(name)” must be an object.")
        }
    }

    /// The current password. Throws `Refusal.proofNeeded` when it was not sent.
    func currentPassword() throws -> String {
        guard let password = try textIfSent("current_password") else { throw Refusal.proofNeeded }
        return password
    }

    /// The handle of a flow; `nil` for what is none of ours.
    func flow() throws -> Token? {
        Token(presented: try text("flow"))
    }

    /// Consent to the terms: `"accepted"`, as the pages' checkbox sends it, or `true`. Throws 400 for another type.
    func acceptsTerms() throws -> Bool {
        switch members["terms"] {
        case nil: return false
        case .bool(let isAccepted)?: return isAccepted
        case .string(let text)?: return text == "accepted"
        default: throw HTTPError(.badRequest, message: "“terms” must be “accepted” or true.")
        }
    }

    private static func isJSON(_ header: String) -> Bool {
        let parts = header.parts(by: ";").map(\.trimmingSpaces.asciiLowercased)
        let charsets = parts.dropFirst().filter { $0.begins(with: "charset=") }
        return parts[0].isExactly("application/json")
            && charsets.allSatisfy { ["charset=utf-8", "charset=\"utf-8\""].contains($0) }
    }
}
