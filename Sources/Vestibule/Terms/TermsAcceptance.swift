/// Raised terms, accepted by somebody who is signed in.
struct TermsAcceptance: Sendable {
    let needs: Needs
    let terms: Terms

    /// Records the consent and lets the session go on. Throws `Refusal.termsMissing` unless it was given.
    func accept(_ isGiven: Bool, _ record: SessionRecord, visitor: Visitor) async throws {
        guard isGiven else { throw Refusal.termsMissing }
        let event = needs.audit.event(.termsAccepted, accountID: record.account.id, visitor: visitor)
        try await needs.store.accept(
            try terms.consent(visitor: visitor, at: needs.now()), accountID: record.account.id,
            sessionID: record.session.id, event: event
        )
        needs.audit.log(event, visitor: visitor)
    }
}
