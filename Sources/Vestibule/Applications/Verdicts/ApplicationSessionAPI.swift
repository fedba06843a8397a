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
    let keys: SigningKeys
    let problems: Problems

    func add(to routes: some RouterMethods<AppContext>) {
        let group = routes.group(RouterPath(ApplicationHostRoutes.prefix))
        group.get("session") { request, context in
            do {
                return try await answer(request, hosts.host(request, context))
            } catch {
                return try problems.answer(error is HandOverProblem ? HTTPError(.badRequest) : error, request, context)
            }
        }
        group.get("jwks.json") { _, _ in try await KeySetRoutes.answer(keys) }
    }

    private func answer(_ request: Request, _ host: ApplicationHost) async throws -> Response {
        guard let token = host.cookie.token(in: request.headers),
            let record = try await sessions.resume(token, at: host.origin).value, !record.isHeldBack
        else { throw Refusal.signInNeeded }
        guard host.application.admits(groups: record.account.groups) else { throw HTTPError(.forbidden) }
        let assertion = try await assertions.assertion(for: record, audience: host.origin).value
        return try JSONReply.of(Answer(record, assertion))
    }

    private struct Answer: Encodable {
        let user: Member
        let assertion: String
        /// RFC 3339: when the session ends in any case.
        let expiresAt: Date

        init(_ record: SessionRecord, _ assertion: String) {
            user = Member(account: record.account)
            self.assertion = assertion
            expiresAt = record.session.expiresAt
        }
    }

    /// The user as the API tells it, and the groups.
    private struct Member: Encodable {
        let account: Account

        func encode(to encoder: any Encoder) throws {
            try User(account).encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(account.groups, forKey: .groups)
        }

        private enum CodingKeys: String, CodingKey {
            case groups
        }
    }
}
