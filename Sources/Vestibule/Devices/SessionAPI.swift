import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `GET session`, `POST sign-out`, `GET sessions`, `DELETE sessions/{id}`.
struct SessionAPI {
    let needs: Needs
    let sessions: Sessions

    /// This session.
    private struct Current: Encodable {
        let user: User
        let session: SessionEntry
        let termsRequired: Bool

        private enum CodingKeys: String, CodingKey {
            case user, session
            case termsRequired = "terms_required"
        }
    }

    /// The account's sessions.
    private struct All: Encodable {
        let sessions: [SessionEntry]
    }

    func add(to routes: some RouterMethods<AppContext>) {
        routes.get("/api/auth/session", use: show)
        routes.post("/api/auth/sign-out", use: signOut)
        routes.get("/api/auth/sessions", use: list)
        routes.delete("/api/auth/sessions/{id}", use: end)
    }

    @Sendable private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        let record = try context.caller(awaitingTerms: true)
        return try JSONReply.of(
            Current(
                user: User(record.account), session: SessionEntry(record.session, isCurrent: true),
                termsRequired: record.session.awaitsTerms
            )
        )
    }

    @Sendable private func signOut(_ request: Request, _ context: AppContext) async throws -> Response {
        let record = try context.caller(awaitingTerms: true)
        if let token = context.sessionToken { try await sessions.end(token, of: record, visitor: context.visitor) }
        return JSONReply.nothing
    }

    @Sendable private func list(_ request: Request, _ context: AppContext) async throws -> Response {
        let record = try context.caller()
        let overview = try await needs.store.accountOverview(
            accountID: record.account.id, events: 0, now: needs.now()
        )
        let entries = overview.sessions.map { SessionEntry($0, isCurrent: $0.id == record.session.id) }
        return try JSONReply.of(All(sessions: entries))
    }

    @Sendable private func end(_ request: Request, _ context: AppContext) async throws -> Response {
        let record = try context.caller()
        let id = context.parameters.get("id") ?? ""
        try await prove(record, isOwn: id == record.session.id, request, context)
        // Somebody else's session is answered like one that does not exist.
        guard try await sessions.end(id: id, of: record.account, visitor: context.visitor) else {
            throw HTTPError(.notFound)
        }
        return JSONReply.nothing
    }

    /// Throws `Refusal.proofNeeded` unless the session is one's own, the proof is fresh, or the
    /// body brings the current password.
    private func prove(
        _ record: SessionRecord, isOwn: Bool, _ request: Request, _ context: AppContext
    ) async throws {
        let proof = PasswordProof(needs: needs)
        // What is not needed must be well formed, too: the description says so.
        let body = request.headers[.contentType] == nil ? nil : try await JSONBody(request)
        let typed = try body?.textIfSent("current_password")
        guard !isOwn, !proof.isFresh(record.session) else { return }
        guard let password = typed else { throw Refusal.proofNeeded }
        _ = try await proof.check(password, of: record, visitor: context.visitor)
    }
}
