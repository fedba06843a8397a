import Foundation
import HTTPTypes
import Hummingbird

/// Guards pages of a session: sign in first, accept raised terms first, and a form token bound to the session.
package struct SignedInGuard: Sendable {
    let key: SecretKey
    let publicURL: Origin
    let audit: Audit

    /// The session of the request, or the redirect that leads to one.
    func session(_ request: Request, _ context: AppContext, awaitingTerms: Bool = false) -> SignedInStep {
        guard let record = context.session else {
            guard request.method == .get else { return .elsewhere(signInFirst(returnTo: nil)) }
            return .elsewhere(seeOther("/login?return_to=\(encoded(request.uri.path))"))
        }
        if record.session.awaitsTerms, !awaitingTerms {
            let wish = request.method == .get ? "?return_to=\(encoded(request.uri.path))" : ""
            return .elsewhere(seeOther("/account/terms\(wish)"))
        }
        return .here(record)
    }

    /// A form sent by somebody who is signed in, with its token checked; `nil` leads to login. Throws `HTTPError`.
    func form(
        _ request: Request, _ context: AppContext, awaitingTerms: Bool = false
    ) async throws -> (Form, SessionRecord)? {
        let form = try await Form(request)
        guard case .here(let record) = session(request, context, awaitingTerms: awaitingTerms) else { return nil }
        try check(form, request, context)
        return (form, record)
    }

    /// The token every form of this session carries; it outlives a renewal, so that other tabs go on working.
    func formToken(_ context: AppContext) -> String {
        guard let id = context.session?.session.id else { return "" }
        return Base64URL.encode(key.mac(.csrf, Array(id.utf8)))
    }

    /// Throws 403 unless the form carries this session's token.
    func check(_ form: Form, _ request: Request, _ context: AppContext) throws {
        guard let id = context.session?.session.id, let presented = Base64URL.decode(form["csrf"]),
            key.verifies(presented, .csrf, Array(id.utf8))
        else {
            audit.log(.crossSite, visitor: context.visitor, path: request.uri.path)
            throw HTTPError(.forbidden)
        }
    }

    /// Throws 403 unless the form carries this session's token, or the browser says that a page of ours sent it: a tab
    /// from before the last sign-in carries the token of the session then, and who signs out there means it. For
    /// this the browser's word is enough: all that a forgery could do is end a session.
    func checkSignOut(_ form: Form, _ request: Request, _ context: AppContext) throws {
        guard RequestSource(request, publicURL: publicURL) != .ourPage else { return }
        try check(form, request, context)
    }

    private func encoded(_ path: String) -> String {
        path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? "/"
    }
}

/// Login, which says why the visitor is there and leads back to a page of ours.
func signInFirst(returnTo page: String?) -> Response {
    seeOther("/login?notice=\(Notice.signInFirst.rawValue)" + (page.map { "&return_to=\($0)" } ?? ""))
}

/// Where a form of somebody leads who may not send it yet: to the terms that wait, or to login, and then to `page`.
func firstStep(before page: String, _ context: AppContext) -> Response {
    context.session == nil ? signInFirst(returnTo: page) : seeOther("/account/terms?return_to=\(page)")
}

/// Where a request for a signed-in page goes on.
enum SignedInStep {
    case here(SessionRecord)
    case elsewhere(Response)
}
