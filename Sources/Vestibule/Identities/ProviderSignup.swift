import Essentials
import Foundation

/// An account for somebody a provider vouches for: the mailbox is proved by the provider, the terms are asked for here.
struct ProviderSignup: Sendable {
    let needs: Needs
    let signIn: ProviderSignIn

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

    func step(_ pending: PendingIdentity, session: SessionRecord?) async throws -> Step {
        guard pending.isEmailVerified, let email = pending.email.flatMap({ EmailAddress($0) }) else {
            return .addressUnproved
        }
        let login = try await needs.store.loginRecord(
            emailKey: email.key, failuresKey: needs.secretKey.failuresKey(email.key))
        guard let owner = login.account else { return .create(email: email.typed) }
        let isOwner = session?.account.id == owner.id
        return isOwner ? .connect(email: email.typed) : .proveAccount(email: email.typed)
    }

    /// Makes account and identity. Throws `Refusals` for the form; `nil` when the address was taken meanwhile.
    func create(
        _ pending: PendingIdentity, name typed: String, acceptsTerms: Bool, visitor: Visitor, remembered: Bool
    ) async throws -> SignIn? {
        guard needs.settings.signupOpen else { throw Refusal.signupClosed }
        guard pending.isEmailVerified, let email = pending.email.flatMap({ EmailAddress($0) }) else { return nil }
        let name = try checked(typed, acceptsTerms)
        try await needs.limits.take(
            .signup, LimitSubject(client: visitor.client, email: email), now: needs.now())
        let accountID = needs.random.id()
        let (token, session) = signIn.sessions.prepare(
            accountID: accountID, visitor: visitor, remembered: remembered, awaitsTerms: false,
            provedBy: .provider)
        let events = [SecurityEvent.Kind.signup, .identityLinked, .login].map {
            needs.audit.event($0, accountID: accountID, visitor: visitor)
        }
        let new = try account(accountID, email, name, session, events, visitor)
        let identity = IdentityLinking(needs: needs, signIn: signIn)
            .identity(pending, accountID: accountID, at: new.account.createdAt)
        switch try await outcome(new, identity, pending) {
        case .emailTaken: return nil
        case .identityTaken: return try await signIn.signIn(pending, visitor, remembered: remembered)
        case .created:
            events.forEach { needs.audit.log($0, visitor: visitor) }
            return SignIn(
                account: new.account, token: token, session: session.session,
                device: needs.browsers.cookie(of: visitor, adding: email), destination: pending.returnTo
            )
        }
    }

    private func outcome(
        _ new: NewAccount, _ identity: Identity, _ pending: PendingIdentity
    ) async throws -> IdentitySignup {
        let sealed = try signIn.sealed(pending)
        do {
            return try await needs.store.addAccount(
                new, identity: NewIdentity(identity: identity, refreshToken: sealed), once: pending.once)
        } catch is UsedBefore {
            throw ProviderFault.rejected("used before")
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

    private func account(
        _ id: String, _ email: EmailAddress, _ name: DisplayName, _ session: NewSession, _ events: [SecurityEvent],
        _ visitor: Visitor
    ) throws -> NewAccount {
        let now = needs.now()
        return NewAccount(
            account: Account(
                id: id, email: email.typed, displayName: name.text, createdAt: now, verifiedAt: now,
                locale: visitor.locale, termsVersion: signIn.terms.version
            ),
            emailKey: email.key, passwordHash: nil, consent: try signIn.terms.consent(visitor: visitor, at: now),
            session: session, events: events
        )
    }
}
