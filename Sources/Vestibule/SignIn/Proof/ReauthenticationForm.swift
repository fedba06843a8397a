import Essentials
import Hummingbird
import Serving

/// The page that asks for the current password once more, and what follows once it was right.
struct ReauthenticationForm {
    let reauthentication: Reauthentication
    let sessions: Sessions
    let web: Web
    /// Where its form is sent to.
    var action = ""
    /// What the form repeats, so that what was asked for goes on after the proof.
    var kept: [String: String] = [:]
    /// Where somebody without a password comes back to from a provider.
    var returnTo = AccountSection.profile.path

    func page(_ record: SessionRecord, _ context: some VisitorContext) async throws -> Response {
        try web.pages.render("account/proof", await values(record, context), context)
    }

    /// The page, or `next` once the password was right, for the session with its new token. Throws
    /// `Refusals` for a form of an earlier session.
    func prove(
        _ request: Request, _ context: SignedInContext, next: (SignedInContext) async throws -> Response
    ) async throws -> Response {
        let (form, record) = (try context.form(), context.record)
        guard form.holds("current_password") else { return try await page(record, context) }
        let page = FormPage(
            web: web, template: "account/proof", ids: ["current_password": "current-password"],
            otherwise: "current-password")
        do {
            let typed = form["current_password"]
            let proved = try await reauthentication.check(typed, of: record, visitor: context.visitor)
            // Without a password nothing was proved now: the session is as fresh as it was.
            guard proved != nil else { return try await next(context) }
        } catch {
            return try await page.again(error, request, context) {
                try await values(record, context).merging(["current_password": $0.field("current_password")]) { $1 }
            }
        }
        let token = try await sessions.confirm(record, by: .password, visitor: context.visitor)
        let renewed = context.going(on: SubmittedForm(form, isCurrent: true), record.session, token)
        return web.renewed(record.session, token, try await next(renewed))
    }

    private func values(_ record: SessionRecord, _ context: some VisitorContext) async throws -> Values {
        let own: Values = [
            "signedIn": true, "csrf": web.formTokens.token(of: record.session), "email": record.account.email.typed,
            "action": action, "purpose": web.pages.purpose(of: action, context),
            "kept": kept.sorted { $0.key < $1.key }.map { ["name": $0.key, "value": $0.value] as Values },
        ]
        return own.merging(try await reauthentication.values(record, returnTo: returnTo, web, context)) { $1 }
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
