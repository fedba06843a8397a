import Essentials
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import Serving

/// Turns what was thrown into a page, or under `/api/` into a problem: refusals and HTTP errors by
/// their table, everything else as a fault that is logged in full and shown as one sentence, on
/// pages with the request id.
struct ErrorPages: RouterMiddleware {
    let web: Web
    let problems: Problems
    /// Pages below this path are shown on applications' hosts, and load nothing from the host of
    /// the sign-in.
    let applicationPrefix: String
    /// What OpenID Connect clients ask for.
    private static let clients = ["/oauth/token", "/oauth/revoke", "/oauth/userinfo"]
    private static let worded = [400, 403, 404, 405, 408, 413, 415, 429, 500, 503]

    func handle(_ request: Request, context: AppContext, next: Next<AppContext>) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let failure as FailureAfterRenewal {
            return web.renewed(failure.renewed, try answer(failure.cause, request, context))
        } catch {
            return try answer(error, request, context)
        }
    }

    private func answer(_ error: any Error, _ request: Request, _ context: AppContext) throws -> Response {
        let isForClient = Self.clients.contains(request.uri.path)
        if error is Superseded, !isForClient {
            return request.isForAPI
                ? try problems.answer(Refusal.signInNeeded, request, context) : try web.signInFirst(returnTo: nil)
        }
        Self.note(error, request, context, web.audit)
        guard !request.isForAPI else { return try problems.answer(error, request, context) }
        return isForClient ? try answerClient(error) : try page(error, request, context)
    }

    /// The status, or the one of its kind that has words.
    static func known(_ status: Int) -> Int {
        worded.contains(status) ? status : (status < 500 ? 400 : 500)
    }

    /// Logs what an operator should know of it.
    static func note(_ error: any Error, _ request: Request, _ context: AppContext, _ audit: Audit) {
        // The server stops, and the request was not whole.
        guard !(error is CancellationError) else { return }
        if RefusedRequest(error) != nil {
            RefusedRequest.note(error, request, context, audit)
        } else if let error = error as? any HTTPResponseError {
            guard [400, 413, 415].contains(error.status.code) else { return }
            audit.log(.invalidInput, visitor: context.visitor, path: request.uri.path)
        } else {
            context.logger.error(
                "fault", metadata: ["error": "\(error)", "path": "\(request.uri.path.showable(atMost: 200))"])
        }
    }

    private func page(_ error: any Error, _ request: Request, _ context: AppContext) throws -> Response {
        if let refused = RefusedRequest(error), let refusal = refused.refusals.first {
            let text = web.pages.refusal(refusal, now: web.now(), context)
            return try page(
                Int(refused.status.code), request, context, text: text, headers: refused.headers(now: web.now()))
        }
        guard let error = error as? any HTTPResponseError else { return try page(500, request, context) }
        return try page(Int(error.status.code), request, context, headers: Self.allow(error))
    }

    /// An error as clients read it (RFC 6749 section 5.2).
    private func answerClient(_ error: any Error) throws -> Response {
        let refused = RefusedRequest(error)
        let status = refused?.status ?? (error as? any HTTPResponseError)?.status ?? .internalServerError
        let code =
            switch status.code {
            case 429, 503: "temporarily_unavailable"
            case 500...: "server_error"
            default: "invalid_request"
            }
        // Otherwise the developer of a page that calls these could not tell why.
        let message = (error as? HTTPError)?.body ?? "a page of another site may not send this"
        let description = status == .forbidden ? message : nil
        let fields = ["error": code, "error_description": description] as JSONObject
        var response = try JSONReply.of(fields, status: status)
        response.headers.append(contentsOf: refused?.headers(now: web.now()) ?? Self.allow(error))
        return response
    }

    private static func allow(_ error: any Error) -> HTTPFields {
        (error as? HTTPError)?.headers[.allow].map { [.allow: $0] } ?? [:]
    }

    private func page(
        _ status: Int, _ request: Request, _ context: AppContext, text: String? = nil, headers: HTTPFields = [:]
    ) throws -> Response {
        let known = Self.known(status)
        let values: Values = [
            "status": "\(status)",
            "title": web.pages.sentence("error.\(known).title", context),
            "text": text ?? web.pages.sentence("error.\(known).text", context),
            "request_id": context.visitor.requestID,
        ]
        var response = try render(request, values, context, status: .init(code: status))
        response.headers.append(contentsOf: headers)
        return response
    }

    private func render(
        _ request: Request, _ values: Values, _ context: AppContext, status: HTTPResponse.Status
    ) throws -> Response {
        guard request.uri.path.begins(with: "\(applicationPrefix)/") else {
            return try web.pages.render("error", values, context, status: status)
        }
        let own: Values = [
            "files": applicationPrefix, "link": ["url": "/", "label": web.pages.sentence("failure.home", context)],
        ]
        return try web.pages.render("application/message", own.merging(values) { $1 }, context, status: status)
    }
}
