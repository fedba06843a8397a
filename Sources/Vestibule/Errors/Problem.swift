/// An error as clients read it: `application/problem+json` (RFC 9457).
struct Problem: Encodable {
    let type: String
    let title: String
    let status: Int
    let detail: String
    let code: ProblemCode
    /// One for each member of the body that is wrong.
    let errors: [Member]?

    struct Member: Encodable {
        let field: String
        let code: String
        let detail: String
    }
}
