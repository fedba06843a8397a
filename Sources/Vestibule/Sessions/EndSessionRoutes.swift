import HTTPTypes
import Hummingbird

/// `/account/sessions/{id}/end` and `/account/sessions/end-others`.
struct EndSessionRoutes {
    let sessions: Sessions
    let web: Web

    func add(to routes: Routes) {
        routes.post("/account/sessions/end-others", endOthers)
        routes.post("/account/sessions/{id}/end", end)
    }

    @Sendable private func end(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let (_, record) = try await web.guardian.form(request, context) else {
            return firstStep(before: "/account", context)
        }
        let id = context.parameters.get("id") ?? ""
        // Somebody else's session is answered like one that does not exist.
        guard try await sessions.end(id: id, of: record.account, visitor: context.visitor) else {
            throw HTTPError(.notFound)
        }
        return seeOther("/account?notice=\(Notice.sessionEnded.rawValue)")
    }

    @Sendable private func endOthers(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let (_, record) = try await web.guardian.form(request, context) else {
            return firstStep(before: "/account", context)
        }
        try await sessions.endOthers(than: record, visitor: context.visitor)
        return seeOther("/account?notice=\(Notice.sessionEnded.rawValue)")
    }
}
