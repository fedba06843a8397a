import Foundation
import HTTPTypes
import Hummingbird

/// Guards pages of a session: sign in first, accept raised terms first, and a form token bound to the session.
package struct SignedInGuard: Sendable {
    let key: SecretKey
    let audit: Audit

    /// The session of the request, or the redirect that leads to one.
    func session(_ request: Request, _ context: AppContext, awaitingTerms: Bool = false) -> SignedInStep {
        guard let record = context.session else {
            let wish = request.method == .get ? "?return_to=\(encoded(request.uri.path))" : ""
            return .elsewhere(seeOther("/login\(wish)"))
        }
        if record.session.awaitsTerms, !awaitingTerms {
            let wish = request.method == .get ? "?return_to=\(encoded(request.uri.path))" : ""
            return .elsewhere(seeOther("/account/terms\(wish)"))
        }
        return .here(record)
    }

    /// The token every form of this session carries.
    func formToken(_ context: AppContext) -> String {
        guard let digest = context.visitor.sessionDigest else { return "" }
        return Base64URL.encode(key.mac(.csrf, digest.bytes))
    }

    /// Throws 403 unless the form carries this session's token.
    func check(_ form: Form, _ request: Request, _ context: AppContext) throws {
        guard let digest = context.visitor.sessionDigest, let presented = Base64URL.decode(form["csrf"]),
            key.verifies(presented, .csrf, digest.bytes)
        else {
            audit.log(.crossSite, visitor: context.visitor, path: request.uri.path)
            throw HTTPError(.forbidden)
        }
    }

    private func encoded(_ path: String) -> String {
        path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? "/"
    }
}

/// Where a request for a signed-in page goes on.
enum SignedInStep {
    case here(SessionRecord)
    case elsewhere(Response)
}
