import Foundation

extension Refusal {
    /// The members of `application/problem+json` (RFC 9457) that are used.
    private struct Problem: Decodable {
        let status: Int
        let detail: String
        let code: String
        let errors: [FieldError]?
        let methods: [String]?
        let flow: Secret?
        let flowEnded: Bool?
    }

    /// Reads a problem. Throws for anything else.
    init(_ answer: Answer) throws {
        let problem = try Answer.decoder.decode(Problem.self, from: answer.body)
        code = Code(rawValue: problem.code) ?? .unknown
        (sentence, status, fields) = (problem.detail, problem.status, problem.errors ?? [])
        (flow, isFlowEnded) = (problem.flow, problem.flowEnded ?? false)
        methods = (problem.methods ?? []).compactMap(SecondFactorMethod.init)
        retryAfter = answer.retryAfter
    }
}
