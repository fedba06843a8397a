import Foundation

/// A forgotten password: a code by mail, then a new password. The same answers and the same work for every address.
package struct PasswordReset: Sendable {
    let needs: Needs
    private static let flowLifetime: TimeInterval = 3600

    /// What was typed with the code.
    package struct Form: Sendable {
        package var code: String
        package var password: String
        /// `nil` where nobody was asked to repeat it.
        package var passwordConfirmation: String?

        package init(code: String, password: String, passwordConfirmation: String?) {
            self.code = code
            self.password = password
            self.passwordConfirmation = passwordConfirmation
        }
    }

    /// Asks for a code. Changes nothing about an account. Throws `Refusals` for what is no address, and `.limited`.
    package func request(_ typed: String, replaces: Token?, visitor: Visitor) async throws -> Token {
        guard let email = EmailAddress(typed) else {
            throw Refusals([typed.trimmingSpaces.isEmpty ? .emailMissing : .emailInvalid])
        }
        let subject = try await needs.subject(visitor, email: email)
        let now = needs.now()
        try await needs.limits.take(needs.limits.claims(.reset, subject) + mailClaims(subject), now: now)
        let flow = Token(from: needs.random)
        let record = try await record(email.key)
        let code = try await needs.newCode(
            .account, isKnown: subject.device != nil, failuresInARow: record.failuresInARow)
        let pending = PendingReset(
            flow, code, email, lifetime: Self.flowLifetime, locale: visitor.locale, key: needs.secretKey, now: now,
            codeExpiresAt: needs.codeExpiry)
        try await needs.store.addPendingReset(
            pending, replaces: replaces?.digest,
            mail: mail(code, to: record.account?.email ?? email.typed, locale: visitor.locale)
        )
        return flow
    }

    /// Sends another code for the same flow; attempts used stay used. Returns false when the flow has ended.
    package func resend(_ pending: PendingReset, visitor: Visitor) async throws -> Bool {
        let now = needs.now()
        var isKnown = false
        if let email = EmailAddress(pending.email) {
            let subject = try await needs.subject(visitor, email: email)
            isKnown = subject.device != nil
            try await needs.limits.take(isKnown ? needs.limits.claims(.reset, subject) : mailClaims(subject), now: now)
        }
        let record = try await record(pending.emailKey)
        let code = try await needs.newCode(
            .account, isKnown: isKnown || pending.isMailed, failuresInARow: record.failuresInARow)
        return try await needs.store.renewResetCode(
            flow: pending.flow, code: code.digest(flow: pending.flow, key: needs.secretKey),
            codeExpiresAt: needs.codeExpiry,
            mail: mail(code, to: record.account?.email ?? pending.email, locale: pending.locale), now: now
        )
    }

    /// The pending reset of this browser.
    package func pending(_ flow: Token?) async throws -> PendingReset? {
        guard let flow else { return nil }
        return try await needs.store.pendingReset(flow: flow.digest, now: needs.now())
    }

    /// Redeems a code for a new password. Nobody is signed in by it. Returns the cookie of a browser that was known, which
    /// it stays when all others are forgotten, and which ways in remain. Throws `Refusals` for the form; a form that is
    /// refused costs no attempt.
    @discardableResult
    package func redeem(
        _ pending: PendingReset, _ form: Form, visitor: Visitor
    ) async throws -> (device: DeviceCookie?, ways: WaysInNotice) {
        guard !pending.isSpent else { throw Refusal.flowSpent }
        let (password, code) = try await checked(form, email: pending.email, client: visitor.client)
        // No code is right any more: tries are for the next one.
        do {
            try needs.checkLife(ofCodeUntil: pending.codeExpiresAt)
        } catch {
            throw Refusals([.codeWrong])
        }
        let email = EmailAddress(pending.email)
        let subject = try await needs.subject(visitor, email: email, flow: pending.flow)
        try await needs.limits.take(.verify, subject, now: needs.now())
        let isKnown = subject.device != nil
        let hash = try await needs.hasher.hash(password, client: visitor.client.bucket, isKnown: isKnown)
        let record = try await record(pending.emailKey)
        // The link of a mailed reset came from the mailbox: there is nothing to guess.
        let attempt = needs.attempt(
            code, .account, flow: pending.flow, emailKey: pending.emailKey, isKnown: isKnown || pending.isMailed,
            accountID: record.account?.id, visitor: visitor)
        let event = needs.audit.event(.passwordReset, accountID: nil, visitor: visitor)
        let (review, removal) = try await review(pending, record.account, visitor)
        let accountID = try await needs.store.redeemReset(
            flow: pending.flow, attempt: attempt,
            redemption: PasswordResetRedemption(
                passwordHash: hash, failuresKey: needs.failuresKey(pending.emailKey),
                identities: removal,
                notice: try needs.mail(
                    .passwordChanged, to: record.account?.email ?? pending.email, locale: pending.locale,
                    review.mention(needs.providers)),
                event: event
            ),
            now: needs.now()
        )
        guard let accountID else {
            needs.audit.log(attempt.failure, visitor: visitor)
            throw Refusals([.codeWrong])
        }
        ([event] + removal.events).forEach { needs.audit.log($0.of(accountID), visitor: visitor) }
        await ProviderRevocation(needs: needs).revoke(review.tokens)
        return (isKnown ? email.map { visitor.device(adding: $0, needs) } : nil, review.told)
    }

    /// What becomes of other ways in: the same reads for every address.
    private func review(
        _ pending: PendingReset, _ account: Account?, _ visitor: Visitor
    ) async throws -> (WaysInReview, IdentityReview) {
        let identities = try await needs.store.linkedIdentities(emailKey: pending.emailKey)
        let review = WaysInReview(identities, of: account, now: needs.now())
        let removal = review.removal { needs.audit.event(.identityUnlinked, accountID: nil, visitor: visitor) }
        return (review, removal)
    }

    /// What was typed, when it may be tried. Throws `Refusals` and `Refusal.limited`.
    func checked(_ form: Form, email: String, client: ClientAddress) async throws -> (Password, Code) {
        var refusals: [Refusal] = []
        let code = Code(typed: form.code)
        if code == nil { refusals.append(form.code.trimmingSpaces.isEmpty ? .codeMissing : .codeWrong) }
        let password = Password(form.password)
        let refused = try await needs.passwordJudge.refusal(
            of: password, email: email, displayName: nil, client: client, now: needs.now()
        )
        if let refused { refusals.append(.newPassword(refused)) }
        if needs.settings.passwordConfirmation, let refusal = password.refusal(ofRepeated: form.passwordConfirmation) {
            refusals.append(refusal)
        }
        guard refusals.isEmpty, let code else { throw Refusals(refusals) }
        return (password, code)
    }

    /// A known browser is held by its own limit: a flood that uses up everybody's mails keeps no owner out.
    private func mailClaims(_ subject: LimitSubject) -> [LimitClaim] {
        subject.device == nil ? needs.limits.claims(.mail, subject) : []
    }

    /// Who has the address, and how its owner wrote it: some hosts tell upper from lower case.
    private func record(_ emailKey: String) async throws -> LoginRecord {
        try await needs.store.loginRecord(emailKey: emailKey, failuresKey: needs.failuresKey(emailKey))
    }

    private func mail(_ code: Code, to: String, locale: String) throws -> QueuedMail {
        try needs.mail(.passwordReset, to: to, locale: locale, ["code": code.digits])
    }
}
