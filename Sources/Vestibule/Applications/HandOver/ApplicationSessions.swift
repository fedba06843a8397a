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
        guard let record = Self.record(try await store.applicationSession(token.digest), at: origin) else { return nil }
        return try await sessions.used(record)
    }

    /// What `resume` would return now, without waiting.
    func resumeFromMemory(_ token: Token, at origin: Origin) throws(NotInMemory) -> SessionRecord? {
        guard origin != publicOrigin else { return try sessions.resumeFromMemory(token) }
        guard let found = store.rememberedApplicationSession(token.digest) else { throw NotInMemory() }
        return try Self.record(found, at: origin).map(sessions.usedFromMemory) ?? nil
    }

    private static func record(_ found: ApplicationSession?, at origin: Origin) -> SessionRecord? {
        found.flatMap { $0.origin == origin.text ? $0.record : nil }
    }

    /// Ends the whole session: at the sign-in and in every application.
    func signOut(_ record: SessionRecord, visitor: Visitor) async throws {
        try await sessions.signOut(record, visitor: visitor)
    }
}
