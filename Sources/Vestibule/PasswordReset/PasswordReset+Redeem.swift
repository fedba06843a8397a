package import Essentials
import Foundation
import PasswordHashing
import Serving

extension PasswordReset {
    /// Redeems the code alone: from then on this browser may choose a new password, for as long as
    /// codes live. Returns the flow's new handle; the one before is worth nothing any more. Throws
    /// `Refusal.codeMissing`, `.codeWrong`, `.flowSpent` and `.limited`.
    package func prove(_ pending: PendingReset, typed: String, visitor: Visitor) async throws -> Token {
        guard !pending.isSpent else { throw Refusal.flowSpent }
        guard !typed.trimmingSpaces.isEmpty else { throw Refusal.codeMissing }
        // No code is right any more: tries are for the next one.
        try needs.codes.checkLife(until: pending.codeExpiresAt)
        let subject = try await needs.browsers.subject(visitor, email: EmailAddress(pending.email), flow: pending.flow)
        try await needs.limits.take(.verify, subject, now: needs.now())
        guard let code = Code(typed: typed) else { throw Refusal.codeWrong }
        let record = try await record(pending.emailKey)
        let attempt = attempt(code, pending, record, isKnown: subject.device != nil, visitor)
        let next = Token(from: needs.random)
        let isProved = try await needs.store.proveReset(
            flow: pending.flow, attempt: attempt, next: next.digest, until: needs.codes.expiry, now: needs.now())
        guard isProved else {
            needs.audit.log(attempt.failure, visitor: visitor)
            throw Refusal.codeWrong
        }
        return next
    }

    /// Sets a new password, for a code or for the proof that a code was right. Nobody is signed in
    /// by it. Returns the cookie of a browser that was known, which it stays when all others are
    /// forgotten, and which ways in remain. Throws `Refusals` for the form; a form that is refused
    /// costs no attempt. `.codeWrong` for a proved flow means that it ended.
    @discardableResult
    package func redeem(
        _ pending: PendingReset, _ form: Form, visitor: Visitor
    ) async throws -> (device: DeviceCookie?, ways: WaysInNotice) {
        guard pending.isProved || !pending.isSpent else { throw Refusal.flowSpent }
        let (password, code) = try await typed(form, pending, client: visitor.client)
        let email = EmailAddress(pending.email)
        let subject = try await needs.browsers.subject(visitor, email: email, flow: pending.flow)
        if code != nil { try await needs.limits.take(.verify, subject, now: needs.now()) }
        let isKnown = subject.device != nil
        let hash = try await needs.hasher.hash(password, client: visitor.client.bucket, isKnown: isKnown)
        let record = try await record(pending.emailKey)
        let attempt = code.map { self.attempt($0, pending, record, isKnown: isKnown, visitor) }
        let event = needs.audit.event(.passwordReset, accountID: nil, visitor: visitor)
        let (review, removal) = try await review(pending, record.account, visitor)
        let redemption = PasswordResetRedemption(
            passwordHash: hash, failuresKey: needs.secretKey.failuresKey(pending.emailKey), identities: removal,
            notice: try needs.mailer.mail(
                .passwordChanged, to: record.account?.email ?? pending.email, locale: pending.locale,
                review.mention(needs.providers)),
            event: event
        )
        let accountID = try await needs.store.redeemReset(
            flow: pending.flow, attempt: attempt, redemption: redemption, now: needs.now())
        guard let accountID else {
            if let attempt { needs.audit.log(attempt.failure, visitor: visitor) }
            throw Refusals([.codeWrong])
        }
        ([event] + removal.events).forEach { needs.audit.log($0.of(accountID), visitor: visitor) }
        await ProviderRevocation(needs: needs).revoke(review.tokens)
        return (isKnown ? email.map { needs.browsers.cookie(of: visitor, adding: $0) } : nil, review.told)
    }

    /// What was typed, when it may be tried; no code for a flow that is proved. Throws `Refusals`
    /// and `Refusal.limited`.
    private func typed(
        _ form: Form, _ pending: PendingReset, client: IPAddress
    ) async throws -> (Password, Code?) {
        guard !pending.isProved else { return (try await password(form, email: pending.email, client: client), nil) }
        let typed = try await checked(form, email: pending.email, client: client)
        // No code is right any more: tries are for the next one.
        guard isAlive(pending) else { throw Refusals([.codeWrong]) }
        return typed
    }

    /// What was typed, when it may be tried. Throws `Refusals` and `Refusal.limited`.
    func checked(_ form: Form, email: String, client: IPAddress) async throws -> (Password, Code) {
        guard let code = Code(typed: form.code) else {
            let refused: Refusal = form.code.trimmingSpaces.isEmpty ? .codeMissing : .codeWrong
            _ = try await password(form, email: email, client: client, after: [refused])
            throw Refusals([refused])
        }
        return (try await password(form, email: email, client: client), code)
    }

    /// The new password, when it may be set. Throws `Refusals`, those before it first, and
    /// `Refusal.limited`.
    private func password(
        _ form: Form, email: String, client: IPAddress, after others: [Refusal] = []
    ) async throws -> Password {
        var refusals = others
        let password = Password(form.password)
        let refused = try await needs.passwordJudge.refusal(
            of: password, email: email, displayName: nil, client: client, now: needs.now()
        )
        if let refused { refusals.append(.newPassword(refused)) }
        if needs.settings.passwordConfirmation, let refusal = password.refusal(ofRepeated: form.passwordConfirmation) {
            refusals.append(refusal)
        }
        guard refusals.isEmpty else { throw Refusals(refusals) }
        return password
    }

    /// The link of a mailed reset came from the mailbox: there is nothing to guess.
    private func attempt(
        _ code: Code, _ pending: PendingReset, _ record: LoginRecord, isKnown: Bool, _ visitor: Visitor
    ) -> CodeAttempt {
        needs.codes.attempt(
            code, .account, flow: pending.flow, emailKey: pending.emailKey, isKnown: isKnown || pending.isMailed,
            accountID: record.account?.id, visitor: visitor)
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
}
