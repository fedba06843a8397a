import Essentials
import Foundation
import HTTPTypes
import Hummingbird
import Serving

/// `/.vestibule/session` and `/.vestibule/jwks.json` on an application's host: who is signed in,
/// for scripts of the application's own pages, and the keys that verify assertions.
struct ApplicationSessionAPI {
    let sessions: ApplicationSessions
    let assertions: Assertions
    let hosts: ApplicationHosts
    let keys: KeySet
    let refusals: EntryRefusals
    let problems: Problems

    func add(to routes: some RouterMethods<AppContext>) {
        let group = routes.group(RouterPath(ApplicationHostRoutes.prefix))
        group.get("session") { request, context in
            do {
                return try await answer(request, hosts.host(request, context), context)
            } catch let problem as HandOverProblem {
                problem.note(in: problems.web.audit, at: "", context)
                let error = problem == .untrusted ? Self.untrusted : HTTPError(.badRequest)
                return try problems.answer(error, request, context)
            } catch {
                ErrorPages.note(error, request, context, problems.web.audit)
                return try problems.answer(error, request, context)
            }
        }
        group.get("jwks.json") { _, _ in try await KeySetRoutes.answer(keys) }
    }

    private static let untrusted = HTTPError(
        .forbidden, message: "Only a proxy that VESTIBULE_TRUSTED_PROXIES names is answered here.")
    private static let notAdmitted = HTTPError(
        .forbidden, message: "You are signed in, but in none of the groups that may open this application.")

    private func answer(
        _ request: Request, _ host: ApplicationHost, _ context: AppContext
    ) async throws -> Response {
        guard let token = host.cookie.token(in: request.headers),
            let record = try await sessions.resume(token, at: host.origin).value, !record.isHeldBack
        else { throw Refusal.signInNeeded }
        guard host.application.admits(groups: record.account.groups) else {
            await refusals.noteEntry(
                of: record.accountID, at: ["origin": host.origin.text], from: context.peer, visitor: context.visitor)
            throw Self.notAdmitted
        }
        let assertion = try await assertions.assertion(for: record, audience: host.origin).value
        var user = JSONObject.user(record.account)
        user["groups"] = record.account.groups
        // The session ends then in any case.
        let expiresAt = record.session.lifetime.expiresAt
        return try JSONReply.of(["user": user, "assertion": assertion, "expires_at": expiresAt] as JSONObject)
    }
}
