import Essentials
import Hummingbird
import Serving

/// `/account/sessions/{id}/end` and `/account/sessions/end-others`, after the password when it was
/// not given lately.
struct EndSessionRoutes {
    let sessions: Sessions
    let stepUp: StepUpPages
    let web: Web

    private static let page = AccountSection.devices.path

    func add(to routes: some RouterMethods<AppContext>) {
        let group = routes.signedIn(web, page: Self.page).add(middleware: stepUp)
        group.post("/account/sessions/end-others") { request, context in
            try await proved(false, request, context) { context in
                let renewed = try await sessions.endOthers(than: context.record, visitor: context.visitor)
                return web.renewed(renewed, try web.say(.sessionsEnded, on: Self.page))
            }
        }
        group.post("/account/sessions/{id}/end") { request, context in
            let id = SessionID(rawValue: try context.parameters.require("id"))
            // Leaving needs no proof.
            return try await proved(id == context.session.id, request, context) { context in
                // Somebody else's session is answered like one that does not exist.
                let isEnded = try await sessions.end(id: id, by: context.record, visitor: context.visitor)
                return try web.say(isEnded ? .sessionEnded : .goneAlready, on: Self.page)
            }
        }
        // The question is shown at these URLs: reloading it or changing the language leads back.
        routes.get("/account/sessions/end-others") { _, _ in seeOther(Self.page) }
        routes.get("/account/sessions/{id}/end") { _, _ in seeOther(Self.page) }
    }

    private func proved(
        _ isExempt: Bool, _ request: Request, _ context: SignedInContext,
        next: (SignedInContext) async throws -> Response
    ) async throws -> Response {
        guard !isExempt, !stepUp.isFresh(context) else { return try await next(context) }
        return try await stepUp.question(at: request.uri.path, returnTo: Self.page)
            .answer(request, context, next: next)
    }
}

extension Notice {
    static let sessionEnded = Notice("session_ended", .done)
    static let sessionsEnded = Notice("sessions_ended", .done)
}
