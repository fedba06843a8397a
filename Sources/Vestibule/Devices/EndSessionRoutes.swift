import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `/account/sessions/{id}/end` and `/account/sessions/end-others`, after the password when it was
/// not given lately.
struct EndSessionRoutes {
    let needs: Needs
    let sessions: Sessions
    let web: Web

    private static let page = AccountSection.devices.path

    func add(to routes: some RouterMethods<AppContext>) {
        routes.post("/account/sessions/end-others", use: endOthers)
        routes.post("/account/sessions/{id}/end", use: end)
        // The question is shown at these URLs: reloading it or changing the language leads back.
        routes.get("/account/sessions/end-others") { _, _ in seeOther(Self.page) }
        routes.get("/account/sessions/{id}/end") { _, _ in seeOther(Self.page) }
    }

    @Sendable private func end(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let (form, record, check) = try await web.guardian.form(request, context) else {
            return try web.firstStep(before: Self.page, context)
        }
        guard check.isCurrent else { return try web.say(.formStale, on: Self.page) }
        let id = context.parameters.get("id") ?? ""
        // Leaving needs no proof.
        return try await proved(id == record.session.id, form, record, request, context) {
            // Somebody else's session is answered like one that does not exist.
            guard try await sessions.end(id: id, of: record.account, visitor: context.visitor) else {
                throw HTTPError(.notFound)
            }
            return try web.say(.sessionEnded, on: Self.page)
        }
    }

    @Sendable private func endOthers(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let (form, record, check) = try await web.guardian.form(request, context) else {
            return try web.firstStep(before: Self.page, context)
        }
        guard check.isCurrent else { return try web.say(.formStale, on: Self.page) }
        return try await proved(false, form, record, request, context) {
            try await sessions.endOthers(than: record, visitor: context.visitor)
            return try web.say(.sessionsEnded, on: Self.page)
        }
    }

    private func proved(
        _ isExempt: Bool, _ form: Form, _ record: SessionRecord, _ request: Request, _ context: AppContext,
        next: () async throws -> Response
    ) async throws -> Response {
        guard !isExempt, !PasswordProof(needs: needs).isFresh(record.session) else { return try await next() }
        return try await ProofForm(
            needs: needs, sessions: sessions, web: web, action: request.uri.path, returnTo: Self.page
        )
        .prove(form, record, request, context, next: next)
    }
}
