import HTTPTypes
import Hummingbird

/// `/account/sessions/{id}/end` and `/account/sessions/end-others`.
struct EndSessionRoutes {
    let needs: Needs
    let web: Web

    func add(to routes: Routes) {
        routes.post("/account/sessions/end-others", endOthers)
        routes.post("/account/sessions/{id}/end", end)
    }

    @Sendable private func end(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let (_, record) = try await web.guardian.form(request, context) else { return seeOther("/login") }
        let event = needs.audit.event(.sessionEnded, accountID: record.account.id, visitor: context.visitor)
        let isEnded = try await needs.store.endSession(
            id: context.parameters.get("id") ?? "", accountID: record.account.id, event: event
        )
        // Somebody else's session is answered like one that does not exist.
        guard isEnded else { throw HTTPError(.notFound) }
        needs.audit.log(event, visitor: context.visitor)
        return seeOther("/account?notice=\(Notice.sessionEnded.rawValue)")
    }

    @Sendable private func endOthers(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let (_, record) = try await web.guardian.form(request, context) else { return seeOther("/login") }
        let event = needs.audit.event(.sessionEnded, accountID: record.account.id, visitor: context.visitor)
        try await needs.store.endOtherSessions(
            than: record.session.id, accountID: record.account.id, event: event
        )
        needs.audit.log(event, visitor: context.visitor)
        return seeOther("/account?notice=\(Notice.sessionEnded.rawValue)")
    }
}
