import Essentials
import Foundation
import Logging

/// A new address for somebody who is signed in: the current password, then a code to the new
/// mailbox. Nothing changes until the code is right; then the old address is told, with a way back.
struct EmailChange: Sendable {
    let store: any EmailChangeStore
    let flows: CodeFlows
    let sessions: Sessions
    let proof: Reauthentication
    let mailer: Mailer
    let random: Randomness

    /// Asks for a code. The answer is the same whether another account has the address. Throws
    /// `Refusals` and `.limited`.
    func request(_ typed: String, password: String, _ record: SessionRecord, visitor: Visitor) async throws -> Token {
        let account = record.account
        let email: EmailAddress
        do {
            email = try checked(typed, account)
        } catch let refused as Refusals {
            throw Refusals(refused.all + (try await proof.missing(password, of: account)))
        }
        _ = try await proof.check(password, of: record, visitor: visitor)
        let subject = LimitSubject(client: visitor.client, email: email)
        let claims =
            flows.limits.claims(.signup, subject) + flows.limits.claims(.mail, subject)
            + flows.limits.claims(.emailChange, LimitSubject(client: visitor.client, account: account.id))
        try await flows.limits.take(claims, now: flows.now())
        let begun = try await flows.begin(
            email, .address, isKnown: flows.browsers.isKnown(visitor, to: email))
        let event = flows.audit.event(.emailChangeRequested, accountID: account.id, visitor: visitor)
        try await store.addPendingEmailChange(
            PendingEmailChange(code: begun.pending, accountID: account.id), by: record.presented,
            mail: mail(begun.code, to: email, account, visitor), event: event
        )
        mailer.wake()
        flows.audit.log(event, visitor: visitor)
        return begun.token
    }

    func pending(_ flow: Token?, _ account: Account) async throws -> PendingEmailChange? {
        guard let flow else { return nil }
        let pending = try await store.pendingEmailChange(flow: flow.digest, now: flows.now())
        return pending?.accountID == account.id ? pending : nil
    }

    /// Sends another code for the same flow. Returns false when the flow has ended or has no
    /// attempts left: a mail that is not sent is not counted.
    func resend(_ pending: PendingEmailChange, _ account: Account, visitor: Visitor) async throws -> Bool {
        guard !pending.code.isSpent else { return false }
        let email = pending.code.email
        try await flows.limits.take(.mail, LimitSubject(client: visitor.client, email: email), now: flows.now())
        let renewed = try await flows.renew(
            .emailChange, pending.code, .address, isKnown: flows.browsers.isKnown(visitor, to: email)
        ) { .certain(try mail($0, to: pending.code.email, account, visitor)) }
        mailer.wake()
        return renewed
    }

    /// Redeems the code. Returns the session's new token, and the cookie by which this browser is
    /// known for the new address, as it was for the old one. Throws `Refusal` for the form.
    func verify(
        _ pending: PendingEmailChange, typed: String, _ record: SessionRecord, visitor: Visitor
    ) async throws -> (token: Token, device: DeviceCookie?) {
        // Counted by the session: a stranger may type wrong codes for that address at a sign-up.
        let subject = LimitSubject(
            client: visitor.client, email: pending.code.email, device: record.session.id.rawValue,
            flow: pending.code.flow)
        let admitted = try await flows.admit(typed, pending.code, as: subject, visitor: visitor)
        let attempt = flows.attempt(
            admitted.code, pending.code, .address, isKnown: admitted.isKnown, accountID: record.accountID,
            visitor: visitor)
        let (token, renewal) = sessions.renew(record, visitor: visitor)
        let completion = try completion(pending, record.account, renewal, visitor)
        let outcome = try await store.completeEmailChange(
            flow: pending.code.flow, attempt: attempt, completion: completion, now: flows.now())
        switch outcome {
        case .codeWrong: throw flows.refuse(attempt, pending.code, visitor: visitor)
        case .taken: throw Refusal.emailTakenByOther
        case .done:
            mailer.wake()
            flows.audit.log(completion.event, visitor: visitor)
            return (token, flows.browsers.cookie(of: visitor, adding: pending.code.email))
        }
    }

    private func checked(_ typed: String, _ account: Account) throws -> EmailAddress {
        guard let email = EmailAddress(typed) else {
            throw Refusals([typed.trimmingSpaces.isEmpty ? .emailMissing : .emailInvalid])
        }
        guard email != account.email else { throw Refusals([.emailSame]) }
        return email
    }

    private func completion(
        _ pending: PendingEmailChange, _ account: Account, _ renewal: SessionRenewal, _ visitor: Visitor
    ) throws -> EmailChangeCompletion {
        let token = Token(from: random)
        let masked = pending.code.email.masked
        let undo = EmailUndoLink(
            token: token.digest, accountID: account.id, email: account.email,
            createdAt: flows.now(),
            expiresAt: flows.now().addingTimeInterval(EmailUndoLink.lifetime.seconds)
        )
        let plain = ["display_name": account.displayName, "new_email_masked": masked]
        let values = plain.merging([MailContent.token: token.text]) { $1 }
        return EmailChangeCompletion(
            renewal: renewal, undo: undo, notice: try mailer.mail(.emailChanged, to: account, values, by: visitor),
            noticeOfReturn: try mailer.mail(.emailChanged, to: account, plain, by: visitor),
            event: flows.audit.event(.emailChanged, accountID: account.id, visitor: visitor),
            failuresKey: flows.key.failuresKey(account.email))
    }

    private func mail(
        _ code: MailedCode, to email: EmailAddress, _ account: Account, _ visitor: Visitor
    ) throws -> QueuedMail {
        try mailer.mail(
            .emailChangeCode, to: email, locale: visitor.locale,
            ["code": code.digits, "display_name": account.displayName], id: code.mailID)
    }
}

extension SecurityEvent.Kind {
    static let emailChangeRequested = Self("email_change_requested", log: "user_email_change_requested")
    static let emailChanged = Self("email_changed", log: "user_updated")
    static let emailRestored = Self("email_restored", log: "user_updated")
    static let emailUndoLocked = Self("email_undo_locked", log: "authn_login_lock", .warning)
}

extension MailContent.Kind {
    static let emailChangeCode = Self("email-change-code", usefulFor: Code.lifetime, isUrgent: true)
    static let emailChanged = Self("email-changed", usefulFor: EmailUndoLink.lifetime)
    static let emailUndoCode = Self("email-undo-code", usefulFor: Code.lifetime, isUrgent: true)
    static let emailRestored = Self("email-restored")
    static let emailTakenBack = Self("email-taken-back")
    static let accountLocked = Self("account-locked")
}
