import Essentials
import Foundation
import HTTPTypes
import Hummingbird
import Serving

/// Guards pages of a session: sign in first, accept raised terms first, and a form token bound to the session.
package struct SignedInGuard: Sendable {
    let key: SecretKey
    let publicURL: Origin
    let audit: Audit
    private static let tokenBytes = 32

    /// The session of the request, or the redirect that leads to one.
    func session(_ request: Request, _ context: AppContext, awaitingTerms: Bool = false) -> SignedInStep {
        guard let record = context.session else {
            guard request.method == .get else { return .elsewhere(seeOther("/login")) }
            return .elsewhere(seeOther("/login?return_to=\(encoded(request.uri.path))"))
        }
        if record.session.awaitsTerms, !awaitingTerms {
            let wish = request.method == .get ? "?return_to=\(encoded(request.uri.path))" : ""
            return .elsewhere(seeOther("/account/terms\(wish)"))
        }
        return .here(record)
    }

    /// A form sent by somebody who is signed in, and whether it is of this session; nil leads to
    /// login. Throws `HTTPError` for a form that never stood on a page of ours.
    func form(
        _ request: Request, _ context: AppContext, awaitingTerms: Bool = false
    ) async throws -> (Form, SessionRecord, FormCheck)? {
        let form = try await Form(request)
        guard case .here(let record) = session(request, context, awaitingTerms: awaitingTerms) else { return nil }
        return (form, record, try check(form, request, context))
    }

    /// The token every form of this session carries; it outlives a renewal, so that other tabs go on working.
    func formToken(_ context: AppContext) -> String {
        guard let id = context.session?.session.id else { return "" }
        return Base64URL.encode(key.mac(.csrf, Array(id.utf8)))
    }

    /// Whether the form carries this session's token. Throws 403 for one that carries nothing like
    /// a token.
    func check(_ form: Form, _ request: Request, _ context: AppContext) throws -> FormCheck {
        let token = Base64URL.decode(form["csrf"])
        if let id = context.session?.session.id, let token, key.verifies(token, .csrf, Array(id.utf8)) {
            return FormCheck(isCurrent: true)
        }
        audit.log(.crossSite, visitor: context.visitor, path: request.uri.path)
        guard token?.count == Self.tokenBytes else { throw HTTPError(.forbidden) }
        return FormCheck(isCurrent: false)
    }

    /// Throws 403 unless the form carries this session's token, or the browser says that a page of ours sent it: a tab
    /// from before the last sign-in carries the token of the session then, and who signs out there means it. For
    /// this the browser's word is enough: all that a forgery could do is end a session.
    func checkSignOut(_ form: Form, _ request: Request, _ context: AppContext) throws {
        guard RequestSource(request, publicURL: publicURL) != .ourPage else { return }
        guard try check(form, request, context).isCurrent else { throw HTTPError(.forbidden) }
    }

    private func encoded(_ path: String) -> String {
        path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? "/"
    }
}

extension Web {
    /// Login, which says why the visitor is there and leads back to a page of ours.
    package func signInFirst(returnTo page: String?) throws -> Response {
        try say(.signInFirst, on: "/login" + (page.map { "?return_to=\($0)" } ?? ""))
    }

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
