import Essentials
import Foundation
import HTTPTypes
import Hummingbird
import Serving

/// Turns what was thrown under `/api/` into a problem: the sentences of the pages, in English.
struct Problems: Sendable {
    let web: Web
    /// What the codes mean.
    let description: String
    /// Details for statuses whose sentence on the error page speaks of pages. In English, like all
    /// of the API.
    private static let sentences = [
        403: "Requests from other sites are refused.", 404: "There is nothing at this address.",
        405: "This address doesn't take that method.", 415: "Send a JSON object as application/json.",
    ]

    func answer(_ error: any Error, _ request: Request, _ context: AppContext) throws -> Response {
        var context = context
        context.visitor.locale = "en"
        if let refused = RefusedRequest(error), let first = refused.refusals.first {
            return try answer(refused, first, request, context)
        }
        guard let error = error as? any HTTPResponseError else { return try answer(.internalServerError, context) }
        let thrown = error as? HTTPError
        let allow = thrown?.headers[.allow].map { [HTTPField.Name.allow: $0] as HTTPFields } ?? [:]
        return try answer(error.status, detail: thrown?.body, headers: allow, context)
    }

    private func answer(
        _ refused: RefusedRequest, _ first: Refusal, _ request: Request, _ context: AppContext
    ) throws -> Response {
        let codes = Set(refused.refusals.map(\.answer.code))
        let code = codes.count == 1 ? first.answer.code : .validationFailed
        let members = refused.refusals.compactMap { refusal in
            refusal.member.map { member -> JSONObject in
                ["field": member, "code": refusal.answer.member, "detail": detail(refusal, context)]
            }
        }
        let status = first.answer.api
        var problem = problem(code, status, detail: detail(first, context))
        // One for each member of the body that is wrong.
        problem["errors"] = members.isEmpty ? nil : members
        problem["methods"] = first.methods
        problem["flow_ended"] = first.endsFlow ? true : nil
        var response = try response(problem, status, headers: refused.headers(now: web.now()))
        if status == .unauthorized, request.bearer != nil, code == .sessionExpired {
            response.headers[.wwwAuthenticate]?.append(", error=\"invalid_token\"")
        }
        return response
    }

    private func answer(
        _ status: HTTPResponse.Status, detail: String? = nil, headers: HTTPFields = [:], _ context: AppContext
    ) throws -> Response {
        let number = Int(status.code)
        let code: ProblemCode = [400, 413, 415].contains(number) ? .validationFailed : .unknown
        let problem: JSONObject = [
            "type": "about:blank", "title": status.reasonPhrase, "status": number,
            "detail": detail ?? Self.sentences[number]
                ?? web.pages.sentence("error.\(ErrorPages.known(number)).text", context),
            "code": code,
        ]
        return try response(problem, status, headers: headers)
    }

    /// An error as clients read it: `application/problem+json` (RFC 9457).
    func problem(_ code: ProblemCode, _ status: HTTPResponse.Status, detail: String) -> JSONObject {
        [
            "type": "\(description)#\(code.rawValue)", "title": code.title, "status": Int(status.code),
            "detail": detail, "code": code,
        ]
    }

    func response(
        _ problem: JSONObject, _ status: HTTPResponse.Status, headers: HTTPFields = [:]
    ) throws -> Response {
        var response = try JSONReply.of(problem, status: status, type: "application/problem+json")
        response.headers.append(contentsOf: headers)
        if status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer realm=\"vestibule\"" }
        return response
    }

    private func detail(_ refusal: Refusal, _ context: AppContext) -> String {
        // Contract section 5: this one stands without a full stop.
        refusal == .credentialsWrong ? "Invalid email or password" : web.pages.refusal(refusal, now: web.now(), context)
    }
}

/// What went wrong, for programs: the codes of contract section 5.
enum ProblemCode: String, Encodable, CaseIterable {
    case invalidCredentials = "invalid_credentials"
    case rateLimited = "rate_limited"
    case secondFactorRequired = "second_factor_required"
    case otpIncorrect = "otp_incorrect"
    case duplicateEmail = "duplicate_email"
    case validationFailed = "validation_failed"
    case sessionExpired = "session_expired"
    case reauthenticationRequired = "reauthentication_required"
    case termsRequired = "terms_required"
    case providerRejected = "provider_rejected"
    case unavailable
    case unknown

    /// The same for every occurrence (RFC 9457 section 3.1.3).
    var title: String {
        switch self {
        case .invalidCredentials: "Invalid credentials"
        case .rateLimited: "Too many attempts"
        case .secondFactorRequired: "Second step needed"
        case .otpIncorrect: "Wrong code"
        case .duplicateEmail: "Address taken"
        case .validationFailed: "Invalid input"
        case .sessionExpired: "Not signed in"
        case .reauthenticationRequired: "Password needed"
        case .termsRequired: "Terms not accepted"
        case .providerRejected: "Provider not believed"
        case .unavailable: "Not available"
        case .unknown: "Refused"
        }
    }
}
