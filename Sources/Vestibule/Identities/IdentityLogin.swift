import Essentials

/// Signs in the account that an identity belongs to.
struct IdentityLogin: Sendable {
    let store: any IdentityStore
    let sessions: Sessions
    let terms: Terms
    let browsers: KnownBrowsers
    let newSignIns: NewSignIns
    let mailer: Mailer
    let audit: Audit
    let key: SecretKey
    let verificationRequired: Bool

    /// Returns `nil` when the identity is nobody's. Throws `ProviderFault` for a locked account.
    func signIn(_ pending: PendingIdentity, _ visitor: Visitor, remembered: Bool) async throws -> SignIn? {
        let record = try await store.identity(issuer: pending.issuer, subject: pending.subject)
        guard let record else { return nil }
        let account = record.account
        try admit(account)
        let (token, session) = sessions.prepare(
            accountID: account.id, visitor: visitor, remembered: remembered,
            awaitsTerms: account.termsVersion != terms.version, provedBy: .provider
        )
        let email = account.email
        let isKnown = try await browsers.isKnown(visitor, to: email)
        let event = audit.event(isKnown ? .login : .loginNewDevice, accountID: account.id, visitor: visitor)
        let success = try LoginSuccess(
            session: session, failuresKey: key.failuresKey(email), returned: [], proved: nil, rehash: nil,
            events: [event], notice: isKnown ? nil : newSignIns.notice(event, to: account)
        )
        if try await keep(pending, record.identity, success) { mailer.wake() }
        audit.log(event, visitor: visitor)
        return SignIn(
            account: account, token: token, session: session,
            device: browsers.cookie(of: visitor, adding: email), destination: pending.returnTo
        )
    }

    /// Returns whether a mail was queued.
    private func keep(
        _ pending: PendingIdentity, _ identity: Identity, _ success: LoginSuccess
    ) async throws -> Bool {
        do {
            return try await store.signIn(
                identityID: identity.id, refreshToken: pending.sealedGrant(key), once: pending.once, success)
        } catch is UsedBefore {
            throw ProviderFault.rejected("used before")
        } catch is Superseded {
            throw ProviderFault.rejected("the identity or its account ended meanwhile")
        }
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
