import Essentials

/// Signs in the account that an identity belongs to.
struct IdentityLogin: Sendable {
    let store: any IdentityStore
    let browsers: KnownBrowsers
    let signIns: SignIns
    let secondSteps: SecondSteps
    let key: SecretKey
    let verificationRequired: Bool

    /// Returns `nil` when the identity is nobody's. Throws `ProviderFault` for a locked account.
    func signIn(_ pending: PendingIdentity, _ visitor: Visitor, remembered: Bool) async throws -> SignInOutcome? {
        do {
            // A second factor that was added meanwhile is asked for. What the provider answered is
            // used up with what is written, and nothing was.
            return try await Superseded.onceMore { try await attempt(pending, visitor, remembered: remembered) }
        } catch is Superseded {
            throw ProviderFault.rejected("the identity or its account ended or changed meanwhile")
        } catch is UsedBefore {
            throw ProviderFault.rejected("used before")
        }
    }

    /// Throws `UsedBefore`, and `Superseded` when what was looked at has changed meanwhile.
    private func attempt(
        _ pending: PendingIdentity, _ visitor: Visitor, remembered: Bool
    ) async throws -> SignInOutcome? {
        let record = try await store.identity(issuer: pending.issuer, subject: pending.subject)
        guard let record else { return nil }
        let account = record.account
        try admit(account)
        let first = SecondSteps.First(
            account: account, provedBy: .provider, remembered: remembered, returnTo: pending.returnTo,
            once: pending.once, identityID: record.identity.id)
        switch try await secondSteps.begin(first, visitor: visitor) {
        case .secondStep(let start):
            // The session comes later, and the answer of the provider is gone by then.
            try await store.identityUsed(
                identityID: record.identity.id, refreshToken: pending.sealedGrant(key), at: secondSteps.now())
            return .secondStep(start)
        case .session(let findings):
            return try await enter(record, pending, visitor, remembered: remembered, findings)
        }
    }

    private func enter(
        _ record: IdentityRecord, _ pending: PendingIdentity, _ visitor: Visitor, remembered: Bool,
        _ findings: SignIns.Findings
    ) async throws -> SignInOutcome {
        let account = record.account
        let signIn = try await signIns.start(
            SignIns.Proved(
                account: account, by: .provider, findings: findings, remembered: remembered,
                isKnown: browsers.isKnown(visitor, to: account.email), destination: pending.returnTo),
            visitor: visitor
        ) { success in
            try await store.signIn(
                identityID: record.identity.id, refreshToken: pending.sealedGrant(key), once: pending.once, success)
        }
        return .signedIn(signIn)
    }

    /// Throws for an account that nothing opens now.
    private func admit(_ account: Account) throws(ProviderFault) {
        guard account.disabledAt == nil else { throw .rejected("the account is locked") }
        // As with a password: who opened the account may not own its mailbox.
        guard account.verifiedAt != nil || !verificationRequired else {
            throw .rejected("the account's address is not proved")
        }
    }
}
