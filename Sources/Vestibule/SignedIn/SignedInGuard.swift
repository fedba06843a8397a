import Essentials
import Foundation
import HTTPTypes
import Hummingbird
import Serving

/// Guards a signed-in route that is not in a group.
struct SignedInGuard: Sendable {
    let web: Web

    var publicURL: Origin { web.publicURL }

    /// The session of the request, or the redirect that leads to one.
    func session(_ request: Request, _ context: AppContext) -> SignedInStep {
        let wish =
            request.method == .get
            ? "?return_to=\(request.uri.path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? "/")" : ""
        guard let record = context.session else { return .elsewhere(seeOther("/login\(wish)")) }
        guard !record.session.awaitsTerms else { return .elsewhere(seeOther("/account/terms\(wish)")) }
        return .here(record)
    }

    /// A form sent by somebody who is signed in, and whether it is of this session; nil leads to
    /// login. Throws `HTTPError` for a form that never stood on a page of this site.
    func form(_ request: Request, _ context: AppContext) async throws -> (Form, SessionRecord, FormCheck)? {
        let form = try await Form(request)
        guard case .here(let record) = session(request, context) else { return nil }
        let isCurrent = try web.formTokens.verify(form, of: record.session, request, context.visitor)
        return (form, record, FormCheck(isCurrent: isCurrent))
    }

    func formToken(_ context: AppContext) -> String {
        context.session.map { web.formTokens.token(of: $0.session) } ?? ""
    }
}

extension Web {
    var guardian: SignedInGuard { SignedInGuard(web: self) }

    /// Where a form of somebody leads who may not send it yet: to the terms that wait, or to login,
    /// and then to `page`.
    func firstStep(before page: String, _ context: AppContext) throws -> Response {
        try context.session == nil ? signInFirst(returnTo: page) : seeOther("/account/terms?return_to=\(page)")
    }
}

/// Where a request for a signed-in page goes on.
enum SignedInStep {
    case here(SessionRecord)
    case elsewhere(Response)
}
