import Essentials
import Foundation

/// A new address for somebody who is signed in: the current password, then a code to the new mailbox. Nothing changes
/// until the code is right; then the old address is told, with a way back.
struct EmailChange: Sendable {
    let needs: Needs
    let sessions: Sessions
    private static let flowLifetime: TimeInterval = 3600

    /// Asks for a code. The answer is the same whether another account has the address. Throws `Refusals` and `.limited`.
    func request(_ typed: String, password: String, _ record: SessionRecord, visitor: Visitor) async throws -> Token {
        let account = record.account
        let email = try checked(typed, account)
        _ = try await PasswordProof(needs: needs).check(password, of: record, visitor: visitor)
        let now = needs.now()
        let subject = LimitSubject(client: visitor.client, email: email)
        try await needs.limits.take(
            needs.limits.claims(.signup, subject) + needs.limits.claims(.mail, subject), now: now)
        let flow = Token(from: needs.random)
        let code = try await newCode(email, visitor)
        let pending = PendingEmailChange(
            flow: flow.digest, accountID: account.id, email: email.typed, emailKey: email.key,
            codeDigest: needs.codes.digest(code, flow: flow.digest),
            codeExpiresAt: needs.codes.expiry,
            expiresAt: now.addingTimeInterval(Self.flowLifetime)
        )
        let event = needs.audit.event(.emailChangeRequested, accountID: account.id, visitor: visitor)
        try await needs.store.addPendingEmailChange(
            pending, mail: mail(code, to: email.typed, account, visitor), event: event
        )
        needs.mailer.wake()
        needs.audit.log(event, visitor: visitor)
        return flow
    }

    /// The pending change of this browser and account.
    func pending(_ flow: Token?, _ account: Account) async throws -> PendingEmailChange? {
        guard let flow else { return nil }
        let pending = try await needs.store.pendingEmailChange(flow: flow.digest, now: needs.now())
        return pending?.accountID == account.id ? pending : nil
    }

    /// Sends another code for the same flow. Returns false when the flow has ended.
    func resend(_ pending: PendingEmailChange, _ account: Account, visitor: Visitor) async throws -> Bool {
        let now = needs.now()
        try await needs.limits.take(
            .mail, LimitSubject(client: visitor.client, email: EmailAddress(pending.email)), now: now)
        let code = try await newCode(EmailAddress(pending.email), visitor)
        let renewed = try await needs.store.renewEmailChangeCode(
            flow: pending.flow, code: needs.codes.digest(code, flow: pending.flow),
            codeExpiresAt: needs.codes.expiry,
            mail: mail(code, to: pending.email, account, visitor), now: now
        )
        needs.mailer.wake()
        return renewed
    }

    /// Redeems the code. Returns the session's new token. Throws `Refusal` for the form.
    func verify(
        _ pending: PendingEmailChange, typed: String, _ record: SessionRecord, visitor: Visitor
    ) async throws -> Token {
        guard !pending.isSpent else { throw Refusal.flowSpent }
        guard !typed.trimmingSpaces.isEmpty else { throw Refusal.codeMissing }
        // No code is right any more: tries are for the next one.
        try needs.codes.checkLife(until: pending.codeExpiresAt)
        let subject = try await needs.browsers.subject(visitor, email: EmailAddress(pending.email), flow: pending.flow)
        try await needs.limits.take(.verify, subject, now: needs.now())
        guard let code = Code(typed: typed) else { throw Refusal.codeWrong }
        let attempt = needs.codes.attempt(
            code, .address, flow: pending.flow, emailKey: pending.emailKey, isKnown: subject.device != nil,
            accountID: record.account.id, visitor: visitor)
        let (token, renewal) = sessions.renew(record.session, visitor: visitor)
        let completion = try completion(pending, record.account, renewal, visitor)
        let outcome = try await needs.store.completeEmailChange(
            flow: pending.flow, attempt: attempt, completion: completion, now: needs.now()
        )
        switch outcome {
        case .codeWrong:
            needs.audit.log(attempt.failure, visitor: visitor)
            throw Refusal.codeWrong
        case .taken: throw Refusal.emailTakenByOther
        case .changed:
            needs.mailer.wake()
            needs.audit.log(completion.event, visitor: visitor)
            return token
        }
    }

    private func newCode(_ email: EmailAddress?, _ visitor: Visitor) async throws -> Code {
        try await needs.codes.make(.address, isKnown: needs.browsers.isKnown(visitor, to: email))
    }

    private func checked(_ typed: String, _ account: Account) throws -> EmailAddress {
        guard let email = EmailAddress(typed) else {
            throw Refusals([typed.trimmingSpaces.isEmpty ? .emailMissing : .emailInvalid])
        }
        guard email != EmailAddress(account.email) else { throw Refusals([.emailSame]) }
        return email
    }

    private func completion(
        _ pending: PendingEmailChange, _ account: Account, _ renewal: SessionRenewal, _ visitor: Visitor
    ) throws -> EmailChangeCompletion {
        let token = Token(from: needs.random)
        let now = needs.now()
        return EmailChangeCompletion(
            renewal: renewal,
            undo: EmailUndo(
                token: token.digest, accountID: account.id, email: account.email,
                emailKey: EmailAddress(account.email)?.key ?? account.email, createdAt: now,
                expiresAt: now.addingTimeInterval(EmailUndo.lifetime.seconds)
            ),
            notice: try needs.mailer.mail(
                .emailChanged, to: account,
                [
                    "display_name": account.displayName, "token": token.text,
                    "new_email_masked": EmailAddress(pending.email)?.masked ?? "",
                ]
            ),
            event: needs.audit.event(.emailChanged, accountID: account.id, visitor: visitor)
        )
    }

    private func mail(_ code: Code, to email: String, _ account: Account, _ visitor: Visitor) throws -> QueuedMail {
        try needs.mailer.mail(
            .emailChangeCode, to: email, locale: visitor.locale,
            ["code": code.digits, "display_name": account.displayName]
        )
    }
}
