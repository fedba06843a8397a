import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// Turns what was thrown into a page: refusals and HTTP errors by their table, everything else as a fault that is logged
/// in full and shown as one sentence with the request id.
struct ErrorPages: RouterMiddleware {
    let web: Web
    private static let known = [400, 403, 404, 405, 408, 413, 415, 429, 500, 503]

    func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            return try answer(error, request, context)
        }
    }

    private func answer(_ error: any Error, _ request: Request, _ context: AppContext) throws -> Response {
        if let refused = RefusedRequest(error), let refusal = refused.refusals.first {
            RefusedRequest.note(error, request, context, web.audit)
            let text = web.pages.refusal(refusal, now: web.now(), context)
            return try page(Int(refused.status.code), context, text: text, headers: refused.headers(now: web.now()))
        }
        if let error = error as? any HTTPResponseError {
            return try answer(error, request, context)
        }
        context.logger.error("fault", metadata: ["error": "\(error)", "path": "\(request.uri.path.prefix(200))"])
        return try page(500, context)
    }

    private func answer(_ error: any HTTPResponseError, _ request: Request, _ context: AppContext) throws -> Response {
        let status = Int(error.status.code)
        if [400, 413, 415].contains(status) {
            web.audit.log(.invalidInput, visitor: context.visitor, path: request.uri.path)
        }
        var headers: HTTPFields = [:]
        if let allow = (error as? HTTPError)?.headers[.allow] { headers[.allow] = allow }
        return try page(status, context, headers: headers)
    }

    private func page(
        _ status: Int, _ context: AppContext, text: String? = nil, headers: HTTPFields = [:]
    ) throws -> Response {
        let known = Self.known.contains(status) ? status : (status < 500 ? 400 : 500)
        let values: Values = [
            "status": "\(status)",
            "title": web.pages.sentence("error.\(known).title", context),
            "text": text ?? web.pages.sentence("error.\(known).text", context),
            "request_id": context.visitor.requestID,
        ]
        var response = try web.pages.render("error", values, context, status: .init(code: status))
        response.headers.append(contentsOf: headers)
        return response
    }
}
