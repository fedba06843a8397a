/// The store's part of terms.
package protocol TermsStore: Sendable {
    /// Records the consent, raises the account's version and lets the session go on, in one
    /// transaction. Throws `Superseded`.
    func accept(_ consent: Consent, by session: PresentedSession, event: SecurityEvent) async throws
}
