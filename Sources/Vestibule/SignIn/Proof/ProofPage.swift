import Essentials
import Hummingbird
import Serving

/// The page that asks for what is missing, a second factor or the password, and what follows once
/// it was right.
struct ProofPage {
    let missing: StepUp.Missing
    /// Where the form was sent that waits for the proof.
    let path: String
    /// Where the page's own form is sent to.
    let action: String
    /// Where somebody without a password comes back to from a provider.
    let returnTo: String
    /// The form that waits, if it is held.
    var held: Token?
    /// Which second factor it asks for.
    var way: WishedWay?
    /// What the page's form repeats.
    var kept: [String: String] = [:]
    let pages: StepUpPages

    private var web: Web { pages.web }

    private var form: FormPage {
        switch missing {
        case .secondFactor(let factors):
            FormPage(web: web, template: "account/second-proof", ids: factors.codeField, otherwise: "main")
        case .firstFactor:
            FormPage(
                web: web, template: "account/proof", ids: ["current_password": "current-password"],
                otherwise: "current-password")
        }
    }

    func render(_ context: SignedInContext) async throws -> Response {
        try web.pages.render(form.template, await values(context), context)
    }

    /// The page, or `next` once the password that the form carries was right, for the session with
    /// its new token. Throws `Refusals` for a form of an earlier session.
    func answer(
        _ request: Request, _ context: SignedInContext, next: (SignedInContext) async throws -> Response
    ) async throws -> Response {
        let sent = try context.form()
        guard sent.holds("current_password") else { return try await render(context) }
        return try await prove(sent, request, context) { proved in
            let context = context.going(on: SubmittedForm(sent, isCurrent: true), proved)
            return try await web.renewed(proved) { try await next(context) }
        }
    }

    /// `next` once the proof was right, or else the page again.
    func prove(
        _ proof: Form, _ request: Request, _ context: SignedInContext,
        next: (RenewedSession?) async throws -> Response
    ) async throws -> Response {
        let proved: RenewedSession?
        do {
            proved = try await prove(proof, request, context)
        } catch {
            return try await form.again(error, request, context) { refused in
                try await values(context).merging([
                    "code": refused.field("code", value: proof["code"]),
                    "current_password": refused.field("current_password"),
                ]) { $1 }
            }
        }
        return try await next(proved)
    }

    private func prove(_ proof: Form, _ request: Request, _ context: SignedInContext) async throws -> RenewedSession? {
        switch missing {
        case .secondFactor:
            let attempt = pages.challenges.attempt(proof, in: request, for: .prove(context.session.id))
            return try await pages.rule.prove(
                attempt, of: context.record, context.factors, for: held, visitor: context.visitor)
        case .firstFactor:
            return try await pages.rule.prove(
                password: proof["current_password"], of: context.record, for: held, visitor: context.visitor)
        }
    }

    private func values(_ context: SignedInContext) async throws -> Values {
        let own = web.accountValues(context).merging([
            "action": action, "purpose": web.pages.purpose(of: path, context),
            "kept": kept.sorted { $0.key < $1.key }.map { ["name": $0.key, "value": $0.value] as Values },
        ]) { $1 }
        switch missing {
        case .secondFactor(let factors):
            return own.merging(pages.rule.kinds.values(of: factors, way, web.pages, context)) { $1 }
        case .firstFactor:
            let reauthentication = pages.rule.reauthentication
            return own.merging(
                try await reauthentication.values(context.record, returnTo: returnTo, web, context)
            ) { $1 }
        }
    }
}

extension Reauthentication {
    /// What `partials/current-password` needs to know: for an account without a password, whether a
    /// provider has to vouch again, which leads back to `returnTo`.
    func values(
        _ record: SessionRecord, returnTo: String, _ web: Web, _ context: some VisitorContext
    ) async throws -> Values {
        guard let names = try await waysWithoutPassword(record.account) else { return [:] }
        let query = LinkValues.of(web.publicURL.local(returnTo), web)["return_to_encoded"] ?? ""
        let ways = names.map { name -> Values in
            let proof = SignedLink(key: key).mark(ProviderLink.proving(name), record.session)
            return [
                "url": "/auth/\(name)?prove=\(proof)&return_to=\(query)",
                "sentence": web.pages.sentence("providers.again", context, ["label": providers.label(name)]),
            ]
        }
        return ["passwordless": ["stale": !isFresh(record.session), "ways": ways] as Values]
    }
}

extension Notice {
    static let confirmed = Notice("confirmed", .done)
}
