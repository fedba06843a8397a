import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// Asks for a proof before a form of somebody signed in, and goes on with the form after.
struct StepUpPages: RouterMiddleware {
    let stepUp: StepUp
    let challenges: PasskeyChallengeCookie
    let web: Web
    /// Whether forms here do not carry the password themselves.
    var asksFirst = false
    private static let field = "held"

    func handle(
        _ request: Request, context: SignedInContext, next: (Request, SignedInContext) async throws -> Response
    ) async throws -> Response {
        let held = request.uri.queryParameters.get(Self.field).flatMap(Token.init(presented:))
        guard request.method == .post else {
            // Back from a provider: a page may not send a form by itself.
            guard let held, asksFirst, try await isProved(context) else { return try await next(request, context) }
            return try web.pages.render("account/proved", own(held, request.uri.path, context), context)
        }
        guard let sent = try? context.sent(), sent.isCurrent else { return try await next(request, context) }
        if let held { return try await resume(held, sent.form, request, context, next) }
        guard let missing = try await stepUp.missing(context.record, asksFirst: asksFirst) else {
            return try await next(request, context)
        }
        let form = StepUp.Held(path: request.uri.path, fields: sent.form.all)
        return try await ask(form, missing, context)
    }

    /// Whether a form would go on at once.
    func isProved(_ context: SignedInContext) async throws -> Bool {
        try await stepUp.missing(context.record, asksFirst: asksFirst) == nil
    }

    /// Asks for a proof before a page is seen, which leads on to a form of its path with those
    /// fields. Returns nil if nothing is missing.
    func asked(_ path: String, _ fields: [String: String], _ context: SignedInContext) async throws -> Response? {
        guard let missing = try await stepUp.missing(context.record, asksFirst: asksFirst) else { return nil }
        return try await ask(StepUp.Held(path: path, fields: fields), missing, context)
    }

    /// The page that asks for the proof, and leads on to the form.
    func ask(_ form: StepUp.Held, _ missing: StepUp.Missing, _ context: SignedInContext) async throws -> Response {
        let page = ProofPage(
            missing: missing, held: try await stepUp.hold(form, by: context.record), path: form.path, pages: self)
        return try await page.render(context)
    }

    private func resume(
        _ held: Token, _ proof: Form, _ request: Request, _ context: SignedInContext,
        _ next: (Request, SignedInContext) async throws -> Response
    ) async throws -> Response {
        guard let missing = try await stepUp.missing(context.record, asksFirst: asksFirst) else {
            return try await goOn(held, nil, request, context, next)
        }
        let page = ProofPage(missing: missing, held: held, path: request.uri.path, pages: self)
        let proved: StepUp.Proved
        do {
            proved = try await page.prove(proof, request, context)
        } catch {
            return try await page.again(error, proof, request, context)
        }
        return try await goOn(held, proved, request, context, next)
    }

    /// What the form that was kept is answered with, and the session's new token.
    private func goOn(
        _ held: Token, _ proved: StepUp.Proved?, _ request: Request, _ context: SignedInContext,
        _ next: (Request, SignedInContext) async throws -> Response
    ) async throws -> Response {
        let form = try await stepUp.take(held, of: context.session)
        guard let form, form.path.isExactly(request.uri.path) else {
            return renewed(proved, try web.say(.formStale, on: AccountSection.security.path))
        }
        let context = context.going(
            on: SubmittedForm(Form(fields: form.fields), isCurrent: true, lacksSecrets: form.lacksSecrets),
            proved?.session, proved?.token)
        return renewed(proved, try await next(request, context))
    }

    /// Unless the handler has renewed the session once more.
    private func renewed(_ proved: StepUp.Proved?, _ response: Response) -> Response {
        guard let proved, !web.cookies.sets(.session, in: response) else { return response }
        return web.renewed(proved.session, proved.token, response)
    }

    /// What every page here is filled with.
    func own(_ held: Token, _ path: String, _ context: SignedInContext) -> Values {
        web.accountValues(context).merging(["action": Self.path(path, held)]) { $1 }
    }

    /// Where a form goes on that was kept.
    static func path(_ path: String, _ held: Token) -> String {
        "\(path)?\(field)=\(held.text)"
    }
}
