import Foundation

/// Raised terms, accepted by somebody who is signed in.
struct TermsAcceptance: Sendable {
    let store: any TermsStore
    let terms: Terms
    let audit: Audit

    /// Records the consent and lets the session go on; leaves no trace when these terms were
    /// accepted before. Throws `Refusal.termsMissing` unless consent was given.
    func accept(_ isGiven: Bool, _ record: SessionRecord, visitor: Visitor) async throws {
        guard isGiven else { throw Refusal.termsMissing }
        guard record.awaitsTerms || record.account.termsVersion != terms.version else { return }
        let event = audit.event(.termsAccepted, accountID: record.accountID, visitor: visitor)
        try await store.accept(
            try terms.consent(visitor: visitor, at: audit.now()), by: record.presented, event: event)
        audit.log(event, visitor: visitor)
    }
}

extension SecurityEvent.Kind {
    static let termsAccepted = Self("terms_accepted", log: "terms_accepted")
}

/// The store's part of terms.
package protocol TermsStore: Sendable {
    /// Records the consent, raises the account's version and lets the session go on, in one
    /// transaction. Throws `Superseded`.
    func accept(_ consent: Consent, by session: PresentedSession, event: SecurityEvent) async throws
}
