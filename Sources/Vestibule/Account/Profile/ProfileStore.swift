/// The store's part of the profile.
package protocol ProfileStore: Sendable {
    /// Sets the name a person wants to be called. Throws `Superseded`.
    func rename(to displayName: String, by session: PresentedSession, event: SecurityEvent) async throws
}
