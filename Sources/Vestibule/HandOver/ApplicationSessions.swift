import Essentials

/// Sessions as applications see them.
struct ApplicationSessions: Sendable {
    let sessions: Sessions
    let store: any HandOverStore
    /// Where the sign-in's own cookie opens applications.
    let publicOrigin: Origin

    /// The session that an application's cookie opens at that origin; nil when it is unknown, was
    /// made for another origin, or the session has ended.
    func resume(_ token: Token, at origin: Origin) async throws -> SessionRecord? {
        guard origin != publicOrigin else { return try await sessions.resume(token) }
        guard let found = try await store.applicationSession(token.digest), found.origin == origin.text else {
            return nil
        }
        return try await sessions.used(found.record)
    }

    /// Ends the whole session: at the sign-in and in every application.
    func signOut(_ record: SessionRecord, visitor: Visitor) async throws {
        try await sessions.signOut(record, visitor: visitor)
    }
}
