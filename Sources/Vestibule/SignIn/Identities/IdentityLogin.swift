import Essentials

/// Signs in the account that an identity belongs to.
struct IdentityLogin: Sendable {
    let store: any IdentityStore
    let signIns: SignIns
    let key: SecretKey

    /// Returns `nil` when the identity is nobody's. Throws `ProviderFault` for a locked account.
    func signIn(_ pending: PendingIdentity, _ visitor: Visitor, remembered: Bool) async throws -> SignInOutcome? {
        do {
            // A second factor that was added meanwhile is asked for. What the provider answered is
            // used up with what is written, and nothing was.
            return try await Superseded.onceMore {
                try await pending.using { try await attempt(pending, $0, visitor, remembered: remembered) }
            }
        } catch is Superseded {
            throw ProviderFault.rejected("the identity or its account ended or changed meanwhile")
        }
    }

    /// Throws `UsedBefore`, and `Superseded` when what was looked at has changed meanwhile.
    private func attempt(
        _ pending: PendingIdentity, _ once: Once, _ visitor: Visitor, remembered: Bool
    ) async throws -> SignInOutcome? {
        let record = try await store.identity(issuer: pending.issuer, subject: pending.subject)
        guard let record else { return nil }
        let account = record.account
        guard account.disabledAt == nil else { throw ProviderFault.rejected("the account is locked") }
        // As with a password: who opened the account may not own its mailbox.
        guard signIns.admits(account) else { throw ProviderFault.rejected("the account's address is not proved") }
        var signIn = ProvedSignIn(
            account: account, by: .provider, remembered: remembered, returnTo: pending.returnTo,
            isKnown: try await signIns.browsers.isKnown(visitor, to: account.email))
        signIn.identity = IdentityUse(
            id: record.identity.id, provider: pending.provider, refreshToken: try pending.sealedGrant(key), once: once)
        signIn.provedAt = pending.provedAt
        signIn.failuresKey = key.failuresKey(account.email)
        return try await signIns.proceed(signIn, visitor: visitor)
    }
}
