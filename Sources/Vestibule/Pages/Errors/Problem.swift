/// An error as clients read it: `application/problem+json` (RFC 9457).
struct Problem: Encodable {
    let type: String
    let title: String
    let status: Int
    let detail: String
    let code: ProblemCode
    /// One for each member of the body that is wrong.
    let errors: [Member]?
    /// The handle of what was begun, and what may be sent to it.
    var flow: String?
    var methods: [String]?

    struct Member: Encodable {
        let field: String
        let code: String
        let detail: String
    }
}
