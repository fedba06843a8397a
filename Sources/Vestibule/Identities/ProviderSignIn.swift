import Essentials
import Foundation

/// Signing in through a provider: where it leads, and what its answer means.
struct ProviderSignIn: Sendable {
    let needs: Needs
    let sessions: Sessions
    let terms: Terms

    /// What an answer led to.
    enum Outcome: Sendable {
        case signedIn(SignIn)
        /// Added to the account of the session that began it.
        case linked
        /// It is another account's.
        case linkedElsewhere
        /// Who has that session has proved it again; its new token.
        case proved(Session, Token, returnTo: String?)
        /// Somebody else is signed in here, and was not asked.
        case occupied
        /// `nil` when it was not this browser's flow that was given up.
        case cancelled(AuthFlow?)
        /// Nobody's yet: what comes next is for the person to say.
        case pending(PendingIdentity)
    }

    /// Begins: where to send the browser, and what it must carry. Throws `ProviderFault` and `Refusal.limited`.
    package func start(
        _ provider: Provider, returnTo: String?, purpose: AuthFlow.Purpose, remember: Bool = false,
        page: AuthFlow.Page? = nil, visitor: Visitor
    ) async throws -> (url: String, flow: AuthFlow) {
        try await needs.limits.take(.provider, LimitSubject(client: visitor.client), now: needs.now())
        let flow = AuthFlow(
            provider: provider.settings.name, returnTo: needs.returnTo.granted(returnTo), purpose: purpose,
            remember: remember, page: page, random: needs.random, now: needs.now()
        )
        return (try await provider.authorizationURL(flow, now: needs.now()), flow)
    }

    /// Ends what this browser began. Throws `ProviderFault` for whatever must not be believed.
    func finish(
        _ flow: AuthFlow?, _ answer: ProviderAnswer, _ provider: Provider, session: SessionRecord?, visitor: Visitor
    ) async throws -> Outcome {
        // Some say so without the state; nothing comes of it, so there is nothing to believe.
        guard !answer.isCancelled else { return .cancelled(flow?.state == answer.state ? flow : nil) }
        guard let flow, flow.provider == provider.settings.name, needs.now() < flow.expiresAt else {
            throw ProviderFault.rejected("an answer to nothing this browser began")
        }
        let pending = try await vouched(flow, answer, provider)
        switch flow.purpose {
        case .link: return try await link(pending, flow, session, visitor)
        case .prove(let id):
            let proof = ProviderProof(needs: needs, sessions: sessions)
            let (session, token) = try await proof.accept(pending, id, session, visitor: visitor)
            return .proved(session, token, returnTo: flow.returnTo)
        case .signIn(let replacing):
            guard try await mayEnter(pending, session, replacing) else { return .occupied }
            return try await signIn(pending, visitor).map(Outcome.signedIn) ?? .pending(pending)
        }
    }

    /// Whom the provider vouches for. Throws `ProviderFault` for whatever must not be believed.
    private func vouched(
        _ flow: AuthFlow, _ answer: ProviderAnswer, _ provider: Provider
    ) async throws -> PendingIdentity {
        let now = needs.now()
        guard ConstantTime.equal(Array(flow.state.utf8), Array(answer.state.utf8)) else {
            throw ProviderFault.rejected("an answer to somebody else")
        }
        guard try await needs.store.use(flow.once) else {
            throw ProviderFault.rejected("answered before")
        }
        try await provider.check(issuer: answer.issuer, now: now)
        guard let code = answer.code, answer.error == nil else {
            throw ProviderFault.rejected("the provider said no")
        }
        let tokens = try await provider.exchange(code, verifier: flow.verifier, now: now)
        let audiences = [provider.settings.clientID]
        let token = try await provider.verified(tokens.idToken, nonces: [flow.nonce], audiences: audiences, now: now)
        try ProviderProof.check(token, flow)
        guard try await needs.store.use(Once(digest: token.digest, until: token.expiresAt)) else {
            throw ProviderFault.rejected("token used before")
        }
        return pending(token, answer, tokens, flow, provider)
    }

    /// Whether signing in takes no session from somebody else who was not asked.
    private func mayEnter(
        _ pending: PendingIdentity, _ session: SessionRecord?, _ replacing: String?
    ) async throws -> Bool {
        guard let session, session.session.id != replacing else { return true }
        let owner = try await needs.store.identity(issuer: pending.issuer, subject: pending.subject)?.account.id
        return owner == nil || owner == session.account.id
    }

    /// Signs in whoever the identity belongs to; `nil` when it is nobody's. Throws `ProviderFault` for a locked account.
    func signIn(_ pending: PendingIdentity, _ visitor: Visitor, remembered: Bool? = nil) async throws -> SignIn? {
        let record = try await needs.store.identity(issuer: pending.issuer, subject: pending.subject)
        guard let record else { return nil }
        let account = record.account
        try admit(account)
        let (token, session) = sessions.prepare(
            accountID: account.id, visitor: visitor, remembered: remembered ?? pending.remember ?? false,
            awaitsTerms: account.termsVersion != terms.version, provedBy: .provider
        )
        let email = EmailAddress(account.email)
        let isKnown = try await needs.browsers.isKnown(visitor, to: email)
        let event = needs.audit.event(isKnown ? .login : .loginNewDevice, accountID: account.id, visitor: visitor)
        let success = LoginSuccess(
            session: session, failuresKey: needs.secretKey.failuresKey(email?.key ?? ""), returned: [], proved: nil,
            rehash: nil,
            events: [event], notice: isKnown ? nil : NewSignIns(needs: needs).notice(event, to: account)
        )
        let hasMail: Bool
        do {
            hasMail = try await needs.store.signIn(
                identityID: record.identity.id, refreshToken: sealed(pending), once: pending.once, success)
        } catch is UsedBefore {
            throw ProviderFault.rejected("used before")
        } catch is Superseded {
            throw ProviderFault.rejected("the identity or its account ended meanwhile")
        }
        if hasMail { needs.mailer.wake() }
        needs.audit.log(event, visitor: visitor)
        return SignIn(
            account: account, token: token, session: session.session,
            device: email.map { needs.browsers.cookie(of: visitor, adding: $0) }, destination: pending.returnTo
        )
    }

    /// Throws for an account that nothing opens now.
    private func admit(_ account: Account) throws(ProviderFault) {
        guard account.disabledAt == nil else { throw .rejected("the account is locked") }
        // As with a password: who opened the account may not own its mailbox.
        guard account.verifiedAt != nil || !needs.settings.verificationRequired else {
            throw .rejected("the account's address is not proved")
        }
    }

    func sealed(_ pending: PendingIdentity) throws -> [UInt8]? {
        try pending.grant?.sealed(needs.secretKey, issuer: pending.issuer, subject: pending.subject)
    }

    private func link(
        _ pending: PendingIdentity, _ flow: AuthFlow, _ record: SessionRecord?, _ visitor: Visitor
    ) async throws -> Outcome {
        guard let record, flow.purpose == .link(session: record.session.id) else {
            throw ProviderFault.rejected("the session that began it has ended")
        }
        let rule = IdentityLinking(needs: needs, signIn: self)
        return try await rule.add(pending, to: record, visitor: visitor) ? .linked : .linkedElsewhere
    }

    private func pending(
        _ token: IDToken, _ answer: ProviderAnswer, _ tokens: Provider.Tokens, _ flow: AuthFlow, _ provider: Provider
    ) -> PendingIdentity {
        let name = (token.name ?? answer.name).flatMap { try? DisplayName($0) }
        return PendingIdentity(
            id: needs.random.id(), provider: provider.settings.name, issuer: token.issuer, subject: token.subject,
            email: token.email.flatMap { EmailAddress($0)?.typed }, isEmailVerified: token.isEmailVerified,
            name: name?.text, grant: provider.grant(tokens, to: provider.settings.clientID),
            returnTo: flow.returnTo, remember: flow.remember,
            expiresAt: needs.now().addingTimeInterval(PendingIdentity.lifetime)
        )
    }
}
