import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `/.vestibule/session` and `/.vestibule/jwks.json` on an application's host: who is signed in,
/// for scripts of the application's own pages, and the keys that verify assertions.
struct ApplicationSessionAPI {
    let verdicts: Verdicts
    let hosts: ApplicationHosts
    let keys: SigningKeys
    let problems: Problems

    func add(to routes: some RouterMethods<AppContext>) {
        let group = routes.group(RouterPath(ApplicationHostRoutes.prefix))
        group.get("session", use: session)
        group.get("jwks.json") { _, _ in try await KeySetRoutes.answer(keys) }
    }

    @Sendable private func session(_ request: Request, _ context: AppContext) async throws -> Response {
        do {
            return try await answer(request, hosts.host(request, context))
        } catch {
            return try problems.answer(error is HandOverProblem ? HTTPError(.badRequest) : error, request, context)
        }
    }

    private func answer(_ request: Request, _ host: ApplicationHost) async throws -> Response {
        let kind: SiteCookies.Kind = host.isPublicOrigin ? .session : .application
        let token = host.cookies.value(kind, in: request).flatMap(Token.init(presented:))
        guard let token, let record = try await verdicts.session(token, at: host.origin), !record.awaitsTerms else {
            throw Refusal.signInNeeded
        }
        guard host.application.admits(groups: record.account.groups) else { throw HTTPError(.forbidden) }
        let assertion = try await verdicts.assertions.assertion(for: record, audience: host.origin)
        return try JSONReply.of(Answer(record, assertion))
    }

    private struct Answer: Encodable {
        let user: Member
        let assertion: String
        /// RFC 3339: when the session ends in any case.
        let expiresAt: String

        init(_ record: SessionRecord, _ assertion: String) {
            user = Member(record.account)
            self.assertion = assertion
            expiresAt = record.session.expiresAt.stamp
        }

        private enum CodingKeys: String, CodingKey {
            case user, assertion
            case expiresAt = "expires_at"
        }
    }

    private struct Member: Encodable {
        let id: String
        let email: String
        let emailVerified: Bool
        let name: String
        let groups: [String]

        init(_ account: Account) {
            id = account.id.rawValue
            email = account.email.typed
            emailVerified = account.verifiedAt != nil
            name = account.displayName
            groups = account.groups
        }

        private enum CodingKeys: String, CodingKey {
            case id, email, name, groups
            case emailVerified = "email_verified"
        }
    }
}
