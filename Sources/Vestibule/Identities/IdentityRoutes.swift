import HTTPTypes
import Hummingbird

/// `/account/identities/{id}/remove`, and `/account/confirm`: who you are, before a way to sign in is added.
struct IdentityRoutes {
    let linking: IdentityLinking
    let web: Web

    private var needs: Needs { linking.needs }

    func add(to routes: Routes) {
        routes.post("/account/identities/{id}/remove", remove)
        routes.get("/account/identities/{id}/remove") { _, _ in seeOther("/account") }
        routes.get("/account/confirm", showConfirm)
        routes.post("/account/confirm", confirm)
    }

    @Sendable private func remove(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let (form, record) = try await web.guardian.form(request, context) else {
            return firstStep(before: "/account", context)
        }
        let id = context.parameters.get("id") ?? ""
        guard PasswordProof(needs: needs).isFresh(record.session) else {
            return try await question(request).prove(form, record, request, context) {
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
            return try await question(request).page(record, context)
        }
    }

    @Sendable private func confirm(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let (form, record) = try await web.guardian.form(request, context) else {
            return firstStep(before: "/account", context)
        }
        return try await question(request).prove(form, record, request, context) {
            seeOther("/account?notice=\(Notice.confirmed.rawValue)")
        }
    }

    private func question(_ request: Request) -> ProofForm {
        ProofForm(needs: needs, sessions: linking.signIn.sessions, web: web, action: request.uri.path)
    }
}
