import Foundation
import HTTPTypes
import Hummingbird
import Serving

/// Turns what was thrown under `/api/` into a problem: the sentences of the pages, in English.
struct Problems: Sendable {
    let web: Web
    /// What the codes mean.
    let description: String

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
        let errors = refused.refusals.compactMap { refusal in
            refusal.member.map {
                Problem.Member(field: $0, code: refusal.answer.member, detail: detail(refusal, context))
            }
        }
        let problem = Problem(
            type: "\(description)#\(code.rawValue)", title: code.title, status: Int(first.answer.api.code),
            detail: detail(first, context), code: code, errors: errors.isEmpty ? nil : errors, methods: first.methods
        )
        return try response(problem, headers: refused.headers(now: web.now()), isBearer: request.bearer != nil)
    }

    private func answer(
        _ status: HTTPResponse.Status, detail: String? = nil, headers: HTTPFields = [:], _ context: AppContext
    ) throws -> Response {
        let number = Int(status.code)
        let problem = Problem(
            type: "about:blank", title: status.reasonPhrase, status: number,
            detail: detail ?? web.pages.sentence("error.\(ErrorPages.known(number)).text", context),
            code: [400, 413, 415].contains(number) ? .validationFailed : .unknown, errors: nil
        )
        return try response(problem, headers: headers, isBearer: false)
    }

    private func detail(_ refusal: Refusal, _ context: AppContext) -> String {
        // Contract section 5: this one stands without a full stop.
        refusal == .credentialsWrong ? "Invalid email or password" : web.pages.refusal(refusal, now: web.now(), context)
    }

    private func response(_ problem: Problem, headers: HTTPFields, isBearer: Bool) throws -> Response {
        var response = try JSONReply.of(
            problem, status: .init(code: problem.status), type: "application/problem+json"
        )
        response.headers.append(contentsOf: headers)
        if problem.status == 401 {
            let isRefusedToken = isBearer && problem.code == .sessionExpired
            response.headers[.wwwAuthenticate] =
                "Bearer realm=\"vestibule\"" + (isRefusedToken ? ", error=\"invalid_token\"" : "")
        }
        return response
    }
}

/// An error as clients read it: `application/problem+json` (RFC 9457).
struct Problem: Encodable {
    let type: String
    let title: String
    let status: Int
    let detail: String
    let code: ProblemCode
    /// One for each member of the body that is wrong.
    let errors: [Member]?
    /// The handle of what was begun, and what may be sent to it.
    var flow: String?
    var methods: [String]?

    struct Member: Encodable {
        let field: String
        let code: String
        let detail: String
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
