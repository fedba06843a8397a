import HTTPTypes
import Hummingbird

/// `/account/identities/{id}/remove`, and `/account/confirm`: who you are, before a way to sign in is added.
struct IdentityRoutes {
    let linking: IdentityLinking
    let web: Web

    private var needs: Needs { linking.needs }
    private var proof: PasswordProof { PasswordProof(needs: needs) }

    func add(to routes: Routes) {
        routes.post("/account/identities/{id}/remove", remove)
        routes.get("/account/identities/{id}/remove") { _, _ in seeOther("/account") }
        routes.get("/account/confirm", showConfirm)
        routes.post("/account/confirm", confirm)
    }

    @Sendable private func remove(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let (form, record) = try await web.guardian.form(request, context) else { return seeOther("/login") }
        let id = context.parameters.get("id") ?? ""
        guard proof.isFresh(record.session) else {
            return try await proved(form, record, request, context) {
                try await removed(id, record, context)
            }
        }
        return try await removed(id, record, context)
    }

    private func removed(_ id: String, _ record: SessionRecord, _ context: AppContext) async throws -> Response {
        let overview = try await needs.store.accountOverview(
            accountID: record.account.id, events: Activity.shown, now: needs.now())
        let provider = overview.identities.first { $0.id == id }?.provider
        guard let provider else { throw HTTPError(.notFound) }
        let removal = try await linking.remove(id, from: record.account, provider: provider, visitor: context.visitor)
        switch removal {
        case .removed: return seeOther("/account?notice=\(Notice.identityRemoved.rawValue)")
        case .lastWay: return seeOther("/account?notice=\(Notice.lastWay.rawValue)")
        case .unknown: throw HTTPError(.notFound)
        }
    }

    @Sendable private func showConfirm(_ request: Request, _ context: AppContext) async throws -> Response {
        switch web.guardian.session(request, context) {
        case .elsewhere(let response): return response
        case .here(let record):
            return try web.pages.render("account/proof", await values(record, request, context), context)
        }
    }

    @Sendable private func confirm(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let (form, record) = try await web.guardian.form(request, context) else { return seeOther("/login") }
        return try await proved(form, record, request, context) {
            seeOther("/account?notice=\(Notice.confirmed.rawValue)")
        }
    }

    /// The page that asks for the password, or what follows once it was right; the session then has a new token.
    private func proved(
        _ form: Form, _ record: SessionRecord, _ request: Request, _ context: AppContext,
        _ next: () async throws -> Response
    ) async throws -> Response {
        guard form.holds("current_password") else {
            return try web.pages.render("account/proof", await values(record, request, context), context)
        }
        do {
            _ = try await proof.check(form["current_password"], of: record, visitor: context.visitor)
        } catch {
            let ids = ["current_password": "current-password"]
            let refused = RefusedForm(error, ids: ids, otherwise: "current-password", web, request, context)
            guard let refused else { throw error }
            let field = ["current_password": refused.field("current_password")]
            let values = try await values(record, request, context).merging(field) { $1 }
            return try refused.page("account/proof", values, context)
        }
        let (token, renewal) = linking.signIn.sessions.renew(record.session, visitor: context.visitor)
        let event = needs.audit.event(.proved, accountID: record.account.id, visitor: context.visitor)
        try await needs.store.renewSession(renewal, event: event)
        needs.audit.log(event, visitor: context.visitor)
        return web.renewed(record.session, token, try await next())
    }

    private func values(_ record: SessionRecord, _ request: Request, _ context: AppContext) async throws -> Values {
        let own: Values = [
            "signedIn": true, "csrf": web.guardian.formToken(context), "email": record.account.email,
            "action": request.uri.path,
        ]
        return own.merging(try await proof.values(record, returnTo: "/account", web, context)) { $1 }
    }
}
