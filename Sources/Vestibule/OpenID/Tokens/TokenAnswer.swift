import Essentials
import Foundation
import HTTPTypes
import Hummingbird
import Serving

/// Why a client gets no token (RFC 6749 section 5.2).
struct TokenFault: Error {
    let code: String
    let description: String
    var status = HTTPResponse.Status.badRequest
    var headers: HTTPFields = [:]
}

/// Reads the requests of clients, and answers them with JSON.
struct ClientCalls: Sendable {
    let authentication: ClientAuthentication
    let refusals: ClientRefusals
    let now: @Sendable () -> Date

    /// `answer` for the client that has sent the form; its faults, and those of the form, as JSON
    /// and in the log.
    func answer(
        _ request: Request, _ context: AppContext,
        _ answer: (Form, ProtectedApplication) async throws -> Response
    ) async throws -> Response {
        var id: String?
        do {
            let form = try await form(request)
            let credentials = try credentials(form, request)
            id = credentials?.id
            return try await answer(form, client(credentials, context))
        } catch let fault as TokenFault {
            return try refused(fault, id, request, context)
        } catch Refusal.limited(let until, _) {
            let seconds = max(1, Int(until.timeIntervalSince(now()).rounded(.up)))
            let fault = TokenFault(
                code: "temporarily_unavailable", description: "too many wrong requests", status: .tooManyRequests,
                headers: [.retryAfter: "\(seconds)"])
            return try refused(fault, id, request, context)
        }
    }

    private func refused(
        _ fault: TokenFault, _ id: String?, _ request: Request, _ context: AppContext
    ) throws -> Response {
        refusals.log(
            fault.code, fault.description, client: id, at: request.uri.path, visitor: context.visitor)
        var response = try JSONReply.of(
            ["error": fault.code, "error_description": fault.description] as JSONObject, status: fault.status)
        response.headers.append(contentsOf: fault.headers)
        return response
    }

    /// Throws `TokenFault` for a form that cannot be read, and for anything in the URL: that is
    /// logged.
    private func form(_ request: Request) async throws -> Form {
        guard request.uri.query == nil else {
            throw TokenFault(code: "invalid_request", description: "parameters belong into the body")
        }
        do {
            return try await Form(request)
        } catch let error as HTTPError {
            throw Self.fault(error.status)
        }
    }

    /// 400 for other media types, too (RFC 6749 section 5.2).
    private static func fault(_ status: HTTPResponse.Status) -> TokenFault {
        let description =
            switch status {
            case .unsupportedMediaType: "send application/x-www-form-urlencoded in UTF-8, not compressed"
            case .contentTooLarge: "the body is too large"
            default: "the body is no form with each name once"
            }
        return TokenFault(
            code: "invalid_request", description: description,
            status: status == .unsupportedMediaType ? .badRequest : status)
    }

    /// Returns nil for an `Authorization` header that is not Basic, and where header and form name
    /// two clients. Throws `TokenFault` for two secrets.
    private func credentials(_ form: Form, _ request: Request) throws -> ClientAuthentication.Credentials? {
        guard let header = request.headers[.authorization] else {
            return ClientAuthentication.Credentials(
                id: form["client_id"], secret: form["client_secret"].isEmpty ? nil : form["client_secret"])
        }
        guard form["client_secret"].isEmpty else {
            throw TokenFault(code: "invalid_request", description: "the client authenticates twice")
        }
        let basic = ClientAuthentication.basic(header)
        return form["client_id"].isEmpty || basic?.id.isExactly(form["client_id"]) == true ? basic : nil
    }

    private func client(
        _ credentials: ClientAuthentication.Credentials?, _ context: AppContext
    ) async throws -> ProtectedApplication {
        if let credentials,
            let application = try await authentication.client(credentials, visitor: context.visitor)
        {
            return application
        }
        throw TokenFault(
            code: "invalid_client", description: "unknown client or wrong secret", status: .unauthorized,
            headers: [.wwwAuthenticate: "Basic realm=\"vestibule\""])
    }
}
