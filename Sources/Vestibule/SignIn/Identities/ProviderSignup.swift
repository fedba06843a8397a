import Essentials
import Foundation

/// An account for somebody a provider vouches for: the mailbox is proved by the provider, the terms
/// are asked for here.
struct ProviderSignup: Sendable {
    let store: any IdentityStore & CredentialStore
    let login: IdentityLogin
    let terms: Terms
    let limits: RateLimits
    let key: SecretKey
    let random: Randomness
    let isOpen: Bool
    let now: @Sendable () -> Date

    /// What the person sees next.
    enum Step: Sendable, Equatable {
        /// A form: name and terms.
        case create(email: String)
        /// There is an account with the address: its owner signs in the usual way first.
        case proveAccount(email: String)
        /// Signed in to that account: may be connected, after a fresh proof.
        case connect(email: String)
        /// No address, or one the provider has not confirmed.
        case addressUnproved
    }

    func step(_ pending: PendingIdentity, record: SessionRecord?) async throws -> Step {
        guard pending.isEmailVerified, let email = pending.email.flatMap({ EmailAddress($0) }) else {
            return .addressUnproved
        }
        let login = try await store.loginRecord(emailKey: email.key, failuresKey: key.failuresKey(email))
        guard let owner = login.account else { return .create(email: email.typed) }
        let isOwner = record?.accountID == owner.id
        return isOwner ? .connect(email: email.typed) : .proveAccount(email: email.typed)
    }

    /// Makes account and identity. Throws `Refusals` for the form; `nil` when the address was taken
    /// meanwhile.
    func create(
        _ pending: PendingIdentity, name typed: String, acceptsTerms: Bool, visitor: Visitor, remembered: Bool
    ) async throws -> SignInOutcome? {
        guard isOpen else { throw Refusal.signupClosed }
        guard pending.isEmailVerified, let email = pending.email.flatMap({ EmailAddress($0) }) else { return nil }
        let (name, now) = (try checked(typed, acceptsTerms), now())
        try await limits.take(.signup, LimitSubject(client: visitor.client, email: email), now: now)
        let account = Account(
            id: AccountID(from: random), email: email, displayName: name.text, createdAt: now, verifiedAt: now,
            locale: visitor.locale, termsVersion: terms.version)
        let (new, token) = login.signIns.prepare(
            account, nil, try terms.consent(visitor: visitor, at: now), remembered: remembered, by: .provider,
            at: pending.provedAt, [.signup, .identityLinked, .login], visitor: visitor)
        let identity = try pending.linked(id: random.id(), to: account.id, at: now, key)
        switch try await pending.using({ try await store.addAccount(new, identity: identity, once: $0) }) {
        case .emailTaken: return nil
        case .identityTaken: return try await login.signIn(pending, visitor, remembered: remembered)
        case .created:
            return .signedIn(login.signIns.made(new, token, returnTo: pending.returnTo, visitor: visitor))
        }
    }

    func checked(_ typed: String, _ acceptsTerms: Bool) throws -> DisplayName {
        var refusals: [Refusal] = []
        var name: DisplayName?
        do { name = try DisplayName(typed) } catch { refusals.append(error) }
        if !acceptsTerms { refusals.append(.termsMissing) }
        guard refusals.isEmpty, let name else { throw Refusals(refusals) }
        return name
    }
}
