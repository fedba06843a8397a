import Essentials
import Hummingbird
import Serving

extension JSONBody {
    /// The handle of a flow; nil for a value that cannot be one.
    func flow() throws -> Token? {
        Token(presented: try text("flow"))
    }

    /// Consent to the terms: `"accepted"`, as the pages' checkbox sends it, or `true`. Throws 400
    /// for another type.
    func acceptsTerms() throws -> Bool {
        switch self["terms"] {
        case nil: return false
        case .bool(let isAccepted)?: return isAccepted
        case .string(let text)?: return text == "accepted"
        default: throw HTTPError(.badRequest, message: "“terms” must be “accepted” or true.")
        }
    }
}
