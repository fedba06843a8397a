import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// Asks for a proof before a form of somebody signed in, and goes on with the form after.
struct StepUpPages: RouterMiddleware {
    let rule: StepUp
    let challenges: PasskeyChallengeCookie
    let web: Web
    /// Whether forms here do not carry the password themselves.
    var asksFirst = false
    private static let field = "held"

    func handle(_ request: Request, context: SignedInContext, next: Next<SignedInContext>) async throws -> Response {
        let held = request.uri.queryParameters.get(Self.field).flatMap(Token.init(presented:))
        guard request.method == .post else {
            // Back from a provider: a page may not send a form by itself.
            guard let held, isFresh(context), try await isProved(context) else {
                return try await next(request, context)
            }
            return try web.pages.render("account/proved", own(held, request.uri.path, context), context)
        }
        // A form that is not current comes this far only where each handler shows it again.
        guard let sent = try? context.sent(), sent.isCurrent else { return try await next(request, context) }
        if let held { return try await resume(held, sent.form, request, context, next) }
        guard let missing = try await missing(context) else {
            return try await answer(request, lacking(context), next)
        }
        return try await ask(sent, at: request.uri.path, missing, context)
    }

    /// Answers a form that lacks no proof. If the account was changed meanwhile and the session is
    /// still open, the form is handled once more from the start, and asks for a proof that is
    /// missing by now; after a second conflict it throws `Refusal.unavailable`. Throws `Superseded`
    /// only when the session has ended.
    private func answer(
        _ request: Request, _ context: SignedInContext, _ next: Next<SignedInContext>, isAgain: Bool = false
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let failure = error as? FailureAfterRenewal
            let token = failure?.renewed.token.digest ?? context.record.token
            guard (failure?.cause ?? error) is Superseded, let current = try await rule.sessions.current(token) else {
                throw error
            }
            return try await web.renewed(failure?.renewed) {
                guard !isAgain else { throw Refusal.unavailable(retryAfterSeconds: 1) }
                let context = context.anew(current)
                guard let missing = try await missing(context) else {
                    return try await answer(request, lacking(context), next, isAgain: true)
                }
                return try await ask(context.sent(), at: request.uri.path, missing, context)
            }
        }
    }

    /// Whether the form of that request is one that waited for a proof.
    func hasAsked(_ request: Request) -> Bool {
        request.uri.queryParameters.get(Self.field) != nil
    }

    /// Whether a form would go on at once.
    func isProved(_ context: SignedInContext) async throws -> Bool {
        try await missing(context) == nil
    }

    private func missing(_ context: SignedInContext) async throws -> StepUp.Missing? {
        try await rule.missing(context.record, context.factors, asksFirst: asksFirst)
    }

    private func lacking(_ context: SignedInContext) async throws -> SignedInContext {
        context.with(try await rule.lacking(context.record, context.factors))
    }

    /// Whether the password was given, or a provider vouched, lately.
    func isFresh(_ context: SignedInContext) -> Bool {
        rule.reauthentication.isFresh(context.session)
    }

    func mayAddWayIn(_ context: SignedInContext) async throws -> Bool {
        try await rule.mayAddWayIn(context.record, context.factors)
    }

    /// Asks for a proof before a page is seen, and leads on to it or, with fields, to a form of its
    /// path. Returns nil if nothing is missing.
    func asked(_ path: String, _ fields: [String: String], _ context: SignedInContext) async throws -> Response? {
        guard let missing = try await missing(context) else { return nil }
        return try await ask(SubmittedForm(Form(fields: fields), isCurrent: true), at: path, missing, context)
    }

    /// The page that asks for the password where the form carries it itself, with what is kept, so
    /// that what was asked for goes on after the proof. Somebody without a password comes back from
    /// a provider to `page`.
    func question(at path: String, returnTo page: String, keeping kept: [String: String] = [:]) -> ProofPage {
        ProofPage(missing: .firstFactor, path: path, action: path, returnTo: page, kept: kept, pages: self)
    }

    private func question(
        _ missing: StepUp.Missing, _ held: Token, at path: String, _ way: WishedWay? = nil
    ) -> ProofPage {
        let action = Self.path(path, held)
        return ProofPage(
            missing: missing, path: path, action: action, returnTo: action, held: held, way: way, pages: self)
    }

    /// The page that asks for the proof, and leads on to the form.
    func ask(
        _ sent: SubmittedForm, at path: String, _ missing: StepUp.Missing, _ context: SignedInContext
    ) async throws -> Response {
        let form = StepUp.Held(path: path, fields: sent.form.all, lacksSecrets: sent.lacksSecrets)
        return try await question(missing, try await rule.hold(form, by: context.record), at: path).render(context)
    }

    private func resume(
        _ held: Token, _ proof: Form, _ request: Request, _ context: SignedInContext, _ next: Next<SignedInContext>
    ) async throws -> Response {
        guard let missing = try await missing(context) else {
            return try await goOn(held, nil, request, context, next)
        }
        let page = question(missing, held, at: request.uri.path, WishedWay(proof))
        guard !proof.choosesWay else { return try await page.render(context) }
        return try await page.prove(proof, request, context) {
            try await goOn(held, $0, request, context, next)
        }
    }

    /// What the form that was kept is answered with, and the session's new token.
    private func goOn(
        _ held: Token, _ proved: RenewedSession?, _ request: Request, _ context: SignedInContext,
        _ next: Next<SignedInContext>
    ) async throws -> Response {
        try await web.renewed(proved) {
            let form = try await rule.take(held, of: context.session)
            guard let form, form.path.isExactly(request.uri.path) else {
                return try web.say(.formStale, on: AccountSection.security.path)
            }
            // After the proof that stood in front of a page.
            guard !form.fields.isEmpty else { return seeOther(form.path) }
            let submitted = SubmittedForm(Form(fields: form.fields), isCurrent: true, lacksSecrets: form.lacksSecrets)
            return try await answer(request, lacking(context).going(on: submitted, proved), next)
        }
    }

    /// The page that leads on to a form that was kept, once nothing is missing.
    private func own(_ held: Token, _ path: String, _ context: SignedInContext) -> Values {
        web.accountValues(context).merging([
            "action": Self.path(path, held), "purpose": web.pages.purpose(of: path, context),
        ]) { $1 }
    }

    /// Where a form goes on that was kept.
    private static func path(_ path: String, _ held: Token) -> String {
        "\(path)?\(field)=\(held.text)"
    }

    /// The form that goes on at such an address.
    static func held(at address: String) -> Token? {
        address.parts(by: "?").last?.after("\(field)=").flatMap { Token(presented: String($0)) }
    }
}
