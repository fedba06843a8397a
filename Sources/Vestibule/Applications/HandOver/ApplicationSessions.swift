import Essentials

/// Sessions as applications see them.
struct ApplicationSessions: Sendable {
    let sessions: Sessions
    let store: any HandOverStore
    /// Where the sign-in's own cookie opens applications.
    let publicOrigin: Origin

    /// The session that an application's cookie opens at that origin; nil when it is unknown, was
    /// made for another origin, or the session has ended.
    func resume(_ token: Token, at origin: Origin) -> Lookup<SessionRecord?> {
        guard origin != publicOrigin else { return sessions.resume(token.digest) }
        if let found = store.rememberedApplicationSession(token.digest) { return used(found, at: origin) }
        return .asks {
            guard let found = try await store.applicationSession(token.digest) else { return nil }
            return try await used(found, at: origin).value
        }
    }

    private func used(_ found: ApplicationSession, at origin: Origin) -> Lookup<SessionRecord?> {
        found.origin == origin.text ? sessions.used(found.record) : .known(nil)
    }
}
