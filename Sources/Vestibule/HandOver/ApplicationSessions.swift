import Essentials

/// Sessions as applications on hosts of their own see them.
struct ApplicationSessions: Sendable {
    let sessions: Sessions
    let store: any HandOverStore

    /// The session that an application's cookie opens at that origin; nil when it is unknown, was
    /// made for another origin, or the session has ended.
    func resume(_ token: Token, at origin: Origin) async throws -> SessionRecord? {
        guard let found = try await store.applicationSession(token.digest), found.origin == origin.text else {
            return nil
        }
        return try await sessions.used(found.record)
    }
}
