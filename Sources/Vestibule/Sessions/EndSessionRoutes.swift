import HTTPTypes
import Hummingbird

/// `/account/sessions/{id}/end` and `/account/sessions/end-others`, after the password when it was
/// not given lately.
struct EndSessionRoutes {
    let needs: Needs
    let sessions: Sessions
    let web: Web
    private static let ended = "/account?notice=\(Notice.sessionEnded.rawValue)"

    func add(to routes: Routes) {
        routes.post("/account/sessions/end-others", endOthers)
        routes.post("/account/sessions/{id}/end", end)
        // The question is shown at these URLs: reloading it or changing the language leads back.
        routes.get("/account/sessions/end-others") { _, _ in seeOther("/account") }
        routes.get("/account/sessions/{id}/end") { _, _ in seeOther("/account") }
    }

    @Sendable private func end(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let (form, record) = try await web.guardian.form(request, context) else {
            return firstStep(before: "/account", context)
        }
        let id = context.parameters.get("id") ?? ""
        // Leaving needs no proof.
        return try await proved(id == record.session.id, form, record, request, context) {
            // Somebody else's session is answered like one that does not exist.
            guard try await sessions.end(id: id, of: record.account, visitor: context.visitor) else {
                throw HTTPError(.notFound)
            }
            return seeOther(Self.ended)
        }
    }

    @Sendable private func endOthers(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let (form, record) = try await web.guardian.form(request, context) else {
            return firstStep(before: "/account", context)
        }
        return try await proved(false, form, record, request, context) {
            try await sessions.endOthers(than: record, visitor: context.visitor)
            return seeOther(Self.ended)
        }
    }

    private func proved(
        _ isExempt: Bool, _ form: Form, _ record: SessionRecord, _ request: Request, _ context: AppContext,
        next: () async throws -> Response
    ) async throws -> Response {
        guard !isExempt, !PasswordProof(needs: needs).isFresh(record.session) else { return try await next() }
        return try await ProofForm(needs: needs, sessions: sessions, web: web, action: request.uri.path)
            .prove(form, record, request, context, next: next)
    }
}
