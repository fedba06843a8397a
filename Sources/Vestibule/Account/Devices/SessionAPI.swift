import Essentials
import Foundation
import HTTPTypes
import Hummingbird
import Serving

/// `GET session`, `POST sign-out`, `GET sessions`, `DELETE sessions/{id}` and
/// `POST sessions/end-others`.
struct SessionAPI {
    let stepUp: StepUpCalls
    let store: any AccountStore
    let sessions: Sessions
    let reauthentication: Reauthentication
    let now: @Sendable () -> Date

    func add(to routes: some RouterMethods<AppContext>) {
        let always = routes.signedInCalls(termsMayWait: true)
        always.get("/api/auth/session") { _, context in
            let answer: JSONObject = [
                "user": JSONObject.user(context.account),
                "session": JSONObject.session(context.session, isCurrent: true),
                "terms_required": context.session.awaitsTerms,
            ]
            return try JSONReply.of(answer)
        }
        always.post("/api/auth/sign-out") { _, context in
            try await sessions.signOut(context.record, visitor: context.visitor)
            return JSONReply.nothing
        }
        let group = routes.signedInCalls().add(middleware: stepUp)
        group.get("/api/auth/sessions") { _, context in
            let overview = try await store.accountOverview(accountID: context.account.id, events: 0, now: now())
            let sessions = overview.sessions.map { JSONObject.session($0, isCurrent: $0.id == context.session.id) }
            return try JSONReply.of(["sessions": sessions])
        }
        group.post("/api/auth/sessions/end-others") { request, context in
            try await reauthentication.prove(request, context)
            let renewed = try await sessions.endOthers(than: context.record, visitor: context.visitor)
            return try JSONReply.renewed(renewed.token, context.record)
        }
        group.delete("/api/auth/sessions/{id}", use: end)
    }

    @Sendable private func end(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = SessionID(rawValue: try context.parameters.require("id"))
        // Leaving needs no password.
        try await reauthentication.prove(request, context, isNeeded: id != context.session.id)
        // Somebody else's session is answered like one that does not exist.
        guard try await sessions.end(id: id, by: context.record, visitor: context.visitor) else {
            throw HTTPError(.notFound)
        }
        return JSONReply.nothing
    }
}
