import Essentials
import HTTPTypes
import Hummingbird
import Logging
import Serving

/// Answers what proxies ask before anything else looks at the request: every request to an
/// application waits for it. What takes a page, a line in the log or the whole story of a fault is
/// left to `VerdictRoutes`.
struct VerdictMiddleware: RouterMiddleware {
    let verdicts: Verdicts
    let questions: VerdictQuestions
    let loopbackOnly: LoopbackOnly
    let headers: SecurityHeaders
    let audit: Audit

    func handle(_ request: Request, context: AppContext, next: Next<AppContext>) async throws -> Response {
        // With the debug log each request has its line.
        guard request.method == .get, let path = request.head.path, let family = VerdictRoutes.families[path],
            context.logger.logLevel > .debug, loopbackOnly.admits(context.peer),
            let question = try? questions.question(QuestionFields(request.headers), from: context.peer, family)
        else { return try await next(request, context) }
        do {
            let outcome = try await verdicts.verdict(on: question).value
            if let answer = question.answer(outcome, to: request.headers) {
                return answer.response(adding: headers.onOtherHosts)
            }
        } catch {
            // The routes ask again, and answer with what comes of that.
            audit.write(.warning, "verdict_failed", from: "\(context.peer)", ["error": "\(error)"])
        }
        return try await next(request, context)
    }
}

/// Answers, without waiting, what is asked of what is in memory, such as the sessions and
/// assertions used lately. Everything else is left to `VerdictMiddleware`.
struct VerdictResponder: ImmediateResponder {
    let verdicts: Verdicts
    let questions: VerdictQuestions
    let family: ForwardedRequest.Family

    func answer(to request: ImmediateRequest, from peer: ClientAddress) -> PlainAnswer? {
        guard let question = try? questions.question(request.question, from: peer, family),
            case .known(let outcome) = verdicts.verdict(on: question)
        else { return nil }
        return question.answer(outcome, to: request.headers)
    }
}
