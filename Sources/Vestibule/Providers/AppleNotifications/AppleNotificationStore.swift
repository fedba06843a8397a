/// The store's part of Apple's notifications, each of which counts once.
package protocol AppleNotificationStore: Sendable {
    /// The provider has ended the identity: it is removed, every session of its account ends, the
    /// notice is queued. Throws `UsedBefore`.
    func revokeIdentity(id: String, once: Once, notice: QueuedMail, event: SecurityEvent) async throws
    /// Keeps an event about an account. Throws `UsedBefore`.
    func note(_ event: SecurityEvent, once: Once) async throws
}
