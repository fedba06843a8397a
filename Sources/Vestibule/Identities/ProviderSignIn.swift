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
        /// `nil` when it was not this browser's flow that was given up.
        case cancelled(AuthFlow?)
        /// Nobody's yet: what comes next is for the person to say.
        case pending(PendingIdentity)
    }

    /// Begins: where to send the browser, and what it must carry. Throws `ProviderFault` and `Refusal.limited`.
    func start(
        _ provider: Provider, returnTo: String?, linkTo: Session?, visitor: Visitor
    ) async throws -> (url: String, flow: AuthFlow) {
        try await needs.limits.take(.login, LimitSubject(client: visitor.client), now: needs.now())
        let flow = AuthFlow(
            provider: provider.settings.name, returnTo: needs.returnTo.granted(returnTo), linkTo: linkTo?.id,
            random: needs.random, now: needs.now()
        )
        return (try await provider.authorizationURL(flow, now: needs.now()), flow)
    }

    /// Ends what this browser began. Throws `ProviderFault` for whatever must not be believed.
    func finish(
        _ flow: AuthFlow?, _ answer: ProviderAnswer, _ provider: Provider, session: SessionRecord?, visitor: Visitor
    ) async throws -> Outcome {
        let now = needs.now()
        // Some say so without the state; nothing comes of it, so there is nothing to believe.
        guard !answer.isCancelled else { return .cancelled(flow?.state == answer.state ? flow : nil) }
        guard let flow, flow.provider == provider.settings.name, now < flow.expiresAt else {
            throw ProviderFault.rejected("an answer to nothing this browser began")
        }
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
        guard try await needs.store.use(Once(digest: token.digest, until: token.expiresAt)) else {
            throw ProviderFault.rejected("token used before")
        }
        let pending = pending(token, answer, tokens, flow, provider)
        guard flow.linkTo == nil else { return try await link(pending, flow, session, visitor) }
        return try await signIn(pending, visitor).map(Outcome.signedIn) ?? .pending(pending)
    }

    /// Signs in whoever the identity belongs to; `nil` when it is nobody's. Throws `ProviderFault` for a locked account.
    func signIn(_ pending: PendingIdentity, _ visitor: Visitor, remembered: Bool = false) async throws -> SignIn? {
        let record = try await needs.store.identity(issuer: pending.issuer, subject: pending.subject)
        guard let record else { return nil }
        let account = record.account
        guard account.disabledAt == nil else { throw ProviderFault.rejected("the account is locked") }
        let (token, session) = sessions.prepare(
            accountID: account.id, visitor: visitor, remembered: remembered,
            awaitsTerms: account.termsVersion != terms.version
        )
        let email = EmailAddress(account.email)
        let isKnown = try await needs.isKnown(visitor, to: email)
        let event = needs.audit.event(isKnown ? .login : .loginNewDevice, accountID: account.id, visitor: visitor)
        let success = LoginSuccess(
            session: session, failuresKey: needs.failuresKey(email?.key ?? ""), returned: [], proved: nil, rehash: nil,
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
        if hasMail { needs.outboxBell.ring() }
        needs.audit.log(event, visitor: visitor)
        return SignIn(
            account: account, token: token, session: session.session,
            device: email.map { visitor.device(adding: $0, needs) }, destination: pending.returnTo
        )
    }

    func sealed(_ pending: PendingIdentity) throws -> [UInt8]? {
        try pending.grant?.sealed(needs.secretKey, issuer: pending.issuer, subject: pending.subject)
    }

    private func link(
        _ pending: PendingIdentity, _ flow: AuthFlow, _ record: SessionRecord?, _ visitor: Visitor
    ) async throws -> Outcome {
        guard let record, record.session.id == flow.linkTo else {
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
            returnTo: flow.returnTo, expiresAt: needs.now().addingTimeInterval(PendingIdentity.lifetime)
        )
    }
}
