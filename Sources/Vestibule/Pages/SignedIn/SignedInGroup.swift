import Essentials
import Foundation
import HTTPTypes
import Hummingbird
import Serving

/// What happens to a form that carries the token of an earlier session.
enum StaleForm: Sendable {
    /// Back to the group's page, which says that nothing was done.
    case leadsBack
    /// The handler shows it again, filled: `SignedInContext.form` throws.
    case isShownAgain
}

extension RouterMethods where Context == AppContext {
    /// Routes for somebody who is signed in. Others are led to login, or to terms that wait unless
    /// these `mayWait`, and back: from a page to that page, from a form to `page`. Forms are read,
    /// and refused unless they carry the token of the session.
    func signedIn(
        _ web: Web, page: String, termsMayWait: Bool = false, staleForm: StaleForm = .isShownAgain
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

    /// Where the visitor of a page is led first, and back: to login, or to terms that wait unless
    /// these may. Returns nil if the page may be seen.
    fileprivate func firstStep(of request: Request, _ context: AppContext, termsMayWait: Bool) -> Response? {
        let path = request.uri.path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? "/"
        let wish = request.method == .get ? "?return_to=\(publicURL.local(path))" : ""
        guard let session = context.session else { return seeOther("/login\(wish)") }
        guard termsMayWait || !session.awaitsTerms else { return seeOther("/account/terms\(wish)") }
        return awaitsFactor(request, session, mayWait: termsMayWait) ? seeOther(AccountSection.security.path) : nil
    }

    /// Whether a second factor must be added first. The pages that add one are open.
    fileprivate func awaitsFactor(_ request: Request, _ session: Session, mayWait: Bool) -> Bool {
        let path = request.uri.path
        let adds = [AccountSection.security.path, "/account/confirm"].contains { path.begins(with: $0) }
        return session.awaitsFactor && !mayWait && !adds
    }

    /// Where a form of somebody leads who may not send it yet: to the terms that wait, or to login,
    /// and then to `page`.
    func firstStep(before page: String, _ context: AppContext) throws -> Response {
        try context.session == nil
            ? signInFirst(returnTo: page) : seeOther("/account/terms?return_to=\(publicURL.local(page))")
    }
}

private struct SignedInPages: RouterMiddleware {
    let web: Web
    let page: String
    let termsMayWait: Bool
    let staleForm: StaleForm

    func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        guard request.method == .get || request.method == .head else { return try await form(request, context, next) }
        if let step = web.firstStep(of: request, context, termsMayWait: termsMayWait) { return step }
        return try await next(request, context)
    }

    /// Throws `HTTPError` for a form that never stood on a page of this site.
    private func form(
        _ request: Request, _ context: AppContext, _ next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        let form = try await Form(request)
        guard let record = context.record, termsMayWait || !record.awaitsTerms else {
            return try web.firstStep(before: page, context)
        }
        guard !web.awaitsFactor(request, record.session, mayWait: termsMayWait) else {
            return seeOther(AccountSection.security.path)
        }
        let isCurrent = try web.formTokens.verify(form, of: record.session, request, context.visitor)
        guard isCurrent || staleForm == .isShownAgain else { return try web.say(.formStale, on: page) }
        var context = context
        context.submitted = SubmittedForm(form, isCurrent: isCurrent)
        return try await next(request, context)
    }
}

private struct SignedInCalls: RouterMiddleware {
    let termsMayWait: Bool

    func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        guard let record = context.record else { throw Refusal.signInNeeded }
        guard termsMayWait || !record.awaitsTerms else { throw Refusal.termsNeeded }
        let adds = request.uri.path.begins(with: "/api/auth/factors")
        guard termsMayWait || adds || !record.session.awaitsFactor else { throw Refusal.factorNeeded }
        return try await next(request, context)
    }
}
