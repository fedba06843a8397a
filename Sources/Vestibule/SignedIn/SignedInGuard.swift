import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// Guards a signed-in route that is not in a group.
struct SignedInGuard: Sendable {
    let web: Web

    /// A form sent by somebody who is signed in, and whether it is of this session; nil leads to
    /// login. Throws `HTTPError` for a form that never stood on a page of this site.
    func form(_ request: Request, _ context: AppContext) async throws -> (Form, SessionRecord, FormCheck)? {
        let form = try await Form(request)
        guard case .here(let record) = web.signedInStep(request, context) else { return nil }
        let isCurrent = try web.formTokens.verify(form, of: record.session, request, context.visitor)
        return (form, record, FormCheck(isCurrent: isCurrent))
    }

    func formToken(_ context: AppContext) -> String {
        context.session.map { web.formTokens.token(of: $0.session) } ?? ""
    }
}

extension Web {
    var signedInGuard: SignedInGuard { SignedInGuard(web: self) }
}

/// Where a request for a signed-in page goes on.
enum SignedInStep {
    case here(SessionRecord)
    case elsewhere(Response)
}
