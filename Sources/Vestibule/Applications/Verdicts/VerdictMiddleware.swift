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

    func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        // With the debug log each request has its line.
        guard request.method == .get, let path = request.head.path, let family = VerdictRoutes.families[path],
            context.logger.logLevel > .debug, loopbackOnly.admits(context.peer),
            let question = try? questions.question(QuestionFields(request.headers), from: context.peer, family),
            let outcome = try? await verdicts.verdict(on: question),
            let answer = question.answer(outcome, to: request.headers)
        else { return try await next(request, context) }
        return answer.response(adding: headers.headers)
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
            let outcome = try? verdicts.verdictFromMemory(on: question)
        else { return nil }
        return question.answer(outcome, to: request.headers)
    }
}
