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
    let now: @Sendable () -> Date

    /// `answer` for the client that has sent the form; its faults, and those of the form, as JSON.
    func answer(
        _ request: Request, _ context: AppContext,
        _ answer: (Form, ProtectedApplication) async throws -> Response
    ) async throws -> Response {
        do {
            let form = try await form(request)
            return try await answer(form, client(form, request, context))
        } catch let fault as TokenFault {
            return try Self.response(fault)
        } catch Refusal.limited(let until) {
            let seconds = max(1, Int(until.timeIntervalSince(now()).rounded(.up)))
            return try Self.response(
                TokenFault(
                    code: "temporarily_unavailable", description: "too many wrong requests", status: .tooManyRequests,
                    headers: [.retryAfter: "\(seconds)"]))
        }
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
            throw TokenFault(
                code: "invalid_request", description: "the body is no form with each name once", status: error.status)
        }
    }

    private func client(_ form: Form, _ request: Request, _ context: AppContext) async throws -> ProtectedApplication {
        let header = request.headers[.authorization]
        let basic = header.map(ClientAuthentication.basic)
        guard header == nil || !form.holds("client_secret") else {
            throw TokenFault(code: "invalid_request", description: "the client authenticates twice")
        }
        let credentials =
            basic
            ?? ClientAuthentication.Credentials(
                id: form["client_id"], secret: form.holds("client_secret") ? form["client_secret"] : nil)
        let isOne = !form.holds("client_id") || credentials?.id.isExactly(form["client_id"]) == true
        if let credentials, isOne,
            let application = try await authentication.client(credentials, visitor: context.visitor)
        {
            return application
        }
        let challenge: HTTPFields = [.wwwAuthenticate: "Basic realm=\"vestibule\""]
        throw TokenFault(
            code: "invalid_client", description: "unknown client or wrong secret", status: .unauthorized,
            headers: header == nil ? [:] : challenge)
    }

    static func response(_ fault: TokenFault) throws -> Response {
        let body: JSONObject = ["error": fault.code, "error_description": fault.description]
        var response = try JSONReply.of(body, status: fault.status)
        response.headers.append(contentsOf: fault.headers)
        return response
    }
}
