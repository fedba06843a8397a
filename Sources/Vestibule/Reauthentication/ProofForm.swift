import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// The page that asks for the current password once more, and what follows once it was right.
struct ProofForm {
    let needs: Needs
    let sessions: Sessions
    let web: Web
    /// Where its form is sent to.
    var action = ""
    /// What the form repeats, so that what was asked for goes on after the proof.
    var kept: [String: String] = [:]
    /// Where somebody without a password comes back to from a provider.
    var returnTo = AccountSection.profile.path

    private var proof: PasswordProof { PasswordProof(needs: needs) }

    func page(_ record: SessionRecord, _ context: AppContext) async throws -> Response {
        try web.pages.render("account/proof", await values(record, context), context)
    }

    /// The page, or `next` once the password was right; the session then has a new token.
    func prove(
        _ form: Form, _ record: SessionRecord, _ request: Request, _ context: AppContext,
        next: () async throws -> Response
    ) async throws -> Response {
        guard form.holds("current_password") else { return try await page(record, context) }
        do {
            let proved = try await proof.check(form["current_password"], of: record, visitor: context.visitor)
            // Without a password nothing was proved now: the session is as fresh as it was.
            guard proved != nil else { return try await next() }
        } catch {
            let ids = ["current_password": "current-password"]
            let refused = RefusedForm(error, ids: ids, otherwise: "current-password", web, request, context)
            guard let refused else { throw error }
            let field = ["current_password": refused.field("current_password")]
            return try refused.page(
                "account/proof", try await values(record, context).merging(field) { $1 }, context)
        }
        let (token, renewal) = sessions.renew(
            record.session, provedBy: .password, visitor: context.visitor)
        let event = needs.audit.event(.proved, accountID: record.account.id, visitor: context.visitor)
        try await needs.store.renewSession(renewal, event: event)
        needs.audit.log(event, visitor: context.visitor)
        return web.renewed(record.session, token, try await next())
    }

    private func values(_ record: SessionRecord, _ context: AppContext) async throws -> Values {
        let own: Values = [
            "signedIn": true, "csrf": web.guardian.formToken(context), "email": record.account.email,
            "action": action,
            "kept": kept.sorted { $0.key < $1.key }.map { ["name": $0.key, "value": $0.value] as Values },
        ]
        return own.merging(try await proof.values(record, returnTo: returnTo, web, context)) { $1 }
    }
}
