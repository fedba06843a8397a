import Essentials
import Foundation
import HTTPTypes
import Hummingbird
import Serving

/// What happens to a form that carries the token of an earlier session.
enum StaleForm: Sendable {
    /// Back to the group's page, which says that nothing was done.
    case leadsBack
    /// Each handler of the group must show it again, filled: `SignedInContext.form` throws.
    case isShownAgain
}

extension RouterMethods where Context == AppContext {
    /// Routes for somebody who is signed in. Others are led to login, or to terms that wait unless
    /// these `mayWait`, and back: from a page to that page, from a form to `page`. Forms are read,
    /// and refused unless they carry the token of the session.
    func signedIn(
        _ web: Web, page: String, termsMayWait: Bool = false, staleForm: StaleForm = .leadsBack
    ) -> RouterGroup<SignedInContext> {
        group().add(
            middleware: SignedInPages(web: web, page: page, termsMayWait: termsMayWait, staleForm: staleForm)
        ).group(context: SignedInContext.self)
    }

    /// Calls of the API by somebody who is signed in. Others get `Refusal.signInNeeded`, and
    /// `.termsNeeded` as long as raised terms wait, unless these may.
    func signedInCalls(termsMayWait: Bool = false) -> RouterGroup<SignedInContext> {
        group().add(middleware: SignedInCalls(termsMayWait: termsMayWait)).group(context: SignedInContext.self)
    }
}

extension Web {
    /// Login, which says why the visitor is there and leads back to a page of this site.
    func signInFirst(returnTo page: String?) throws -> Response {
        try say(.signInFirst, on: "/login" + (page.map { "?return_to=\(publicURL.local($0))" } ?? ""))
    }

    /// Where somebody is led first, and then back, after a form to `page`: to login, to terms that
    /// wait unless these may, or to where a second factor is added, whose pages are open. Returns
    /// nil if the request may go on.
    fileprivate func firstStep(
        of request: Request, _ form: Form?, _ context: AppContext, termsMayWait: Bool, page: String
    ) throws -> Response? {
        let path = request.uri.path
        let shown =
            [.get, .head].contains(request.method)
            ? path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? "/" : nil
        let wish = (form == nil ? shown : page).map { "?return_to=\(publicURL.local($0))" } ?? ""
        guard let session = context.session else {
            guard let form else { return seeOther("/login\(wish)") }
            // A form with a token comes from somebody who has signed out in another tab since.
            return try say(form.holds("csrf") ? .sessionOver : .signInFirst, on: "/login\(wish)")
        }
        guard termsMayWait || !session.awaitsTerms else { return seeOther("/account/terms\(wish)") }
        let adds = [AccountSection.security.path, "/account/confirm"].contains { path.begins(with: $0) }
        return session.awaitsFactor && !termsMayWait && !adds ? seeOther(AccountSection.security.path) : nil
    }
}

private struct SignedInPages: RouterMiddleware {
    let web: Web
    let page: String
    let termsMayWait: Bool
    let staleForm: StaleForm

    /// Throws `HTTPError` for a form that never stood on a page of this site.
    func handle(_ request: Request, context: AppContext, next: Next<AppContext>) async throws -> Response {
        let isForm = request.method != .get && request.method != .head
        let form = isForm ? try await Form(request) : nil
        let step = try web.firstStep(of: request, form, context, termsMayWait: termsMayWait, page: page)
        if let step { return step }
        guard let form else { return try await next(request, context) }
        let isCurrent = try web.formTokens.verify(form, of: context.session, request, context.visitor)
        guard isCurrent || staleForm == .isShownAgain else { return try web.say(.formStale, on: page) }
        var context = context
        context.submitted = SubmittedForm(form, isCurrent: isCurrent)
        return try await next(request, context)
    }
}

private struct SignedInCalls: RouterMiddleware {
    let termsMayWait: Bool

    func handle(_ request: Request, context: AppContext, next: Next<AppContext>) async throws -> Response {
        guard let record = context.record else { throw Refusal.signInNeeded }
        guard termsMayWait || !record.awaitsTerms else { throw Refusal.termsNeeded }
        let adds = request.uri.path.begins(with: "/api/auth/factors")
        guard termsMayWait || adds || !record.session.awaitsFactor else { throw Refusal.factorNeeded }
        return try await next(request, context)
    }
}
