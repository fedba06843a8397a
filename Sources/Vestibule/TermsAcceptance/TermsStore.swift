package import Essentials

/// The store's part of terms.
package protocol TermsStore: Sendable {
    /// Records the consent, raises the account's version and lets the session go on, in one
    /// transaction.
    func accept(_ consent: Consent, accountID: AccountID, sessionID: SessionID, event: SecurityEvent) async throws
}
