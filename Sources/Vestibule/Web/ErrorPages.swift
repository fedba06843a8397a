import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// Turns what was thrown into a page: refusals and HTTP errors by their table, everything else as a fault that is logged
/// in full and shown as one sentence with the request id.
struct ErrorPages: RouterMiddleware {
    let pages: Pages
    let audit: Audit
    let now: @Sendable () -> Date

    func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let refusal as Refusal {
            return try answer(refusal, request, context)
        } catch let busy as HashingBusy {
            return try unavailable(after: busy.retryAfterSeconds, context)
        } catch let fault as StoreUnavailable {
            context.logger.error("store unavailable", metadata: ["error": "\(fault)"])
            return try unavailable(after: 5, context)
        } catch let error as any HTTPResponseError {
            return try answer(error, request, context)
        } catch {
            context.logger.error("fault", metadata: ["error": "\(error)", "path": "\(request.uri.path)"])
            return try page(500, context)
        }
    }

    private func answer(_ refusal: Refusal, _ request: Request, _ context: AppContext) throws -> Response {
        switch refusal {
        case .limited(let until):
            audit.log(.limited, visitor: context.visitor, path: request.uri.path)
            let seconds = max(1, Int(until.timeIntervalSince(now()).rounded(.up)))
            let time = pages.waiting(until: until, now: now(), context)
            let text = pages.sentence("refusal.limited", context, ["time": time])
            return try page(429, context, text: text, headers: [.retryAfter: "\(seconds)"])
        case .unavailable(let seconds):
            return try unavailable(after: seconds, context)
        case .signupClosed:
            return try page(403, context, text: pages.refusal(refusal, context))
        default:
            return try page(422, context, text: pages.refusal(refusal, context))
        }
    }

    private func unavailable(after seconds: Int, _ context: AppContext) throws -> Response {
        let text = pages.sentence("refusal.unavailable", context)
        return try page(503, context, text: text, headers: [.retryAfter: "\(seconds)"])
    }

    private func answer(_ error: any HTTPResponseError, _ request: Request, _ context: AppContext) throws -> Response {
        let status = Int(error.status.code)
        if [400, 413, 415].contains(status) {
            audit.log(.invalidInput, visitor: context.visitor, path: request.uri.path)
        }
        var headers: HTTPFields = [:]
        if let allow = (error as? HTTPError)?.headers[.allow] { headers[.allow] = allow }
        return try page(status, context, headers: headers)
    }

    private func page(
        _ status: Int, _ context: AppContext, text: String? = nil, headers: HTTPFields = [:]
    ) throws -> Response {
        let known =
            [400, 403, 404, 405, 408, 413, 415, 429, 500, 503].contains(status) ? status : (status < 500 ? 400 : 500)
        let values: Values = [
            "status": "\(status)",
            "title": pages.sentence("error.\(known).title", context),
            "text": text ?? pages.sentence("error.\(known).text", context),
            "request_id": context.visitor.requestID,
        ]
        var response = try pages.render("error", values, context, status: .init(code: status))
        response.headers.append(contentsOf: headers)
        return response
    }
}
