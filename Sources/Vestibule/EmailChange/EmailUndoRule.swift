import Essentials
import Foundation
import PasswordHashing
import Serving

/// "This was not me": the owner of the former address takes the account back, with a code from that
/// mailbox and a new password. The link alone, which may have leaked, does nothing.
struct EmailUndoRule: Sendable {
    let needs: Needs
    private static let flowLifetime: TimeInterval = 3600

    /// What the link of the mail would undo; `nil` when it is over or was never given.
    func pending(_ token: Token?) async throws -> EmailUndo? {
        guard let token else { return nil }
        return try await needs.store.emailUndo(token.digest, now: needs.now())
    }

    /// Mails a code to the former address. Returns the flow's handle. Throws `.limited`.
    func request(_ undo: EmailUndo, replaces: Token?, visitor: Visitor) async throws -> Token {
        try await takeMail(undo, visitor)
        let now = needs.now()
        let flow = Token(from: needs.random)
        let code = try await newCode(undo)
        let pending = PendingEmailUndo(
            flow: flow.digest, undo: undo, codeDigest: needs.codes.digest(code, flow: flow.digest),
            codeExpiresAt: needs.codes.expiry,
            expiresAt: now.addingTimeInterval(Self.flowLifetime)
        )
        try await needs.store.addPendingEmailUndo(
            pending, replaces: replaces?.digest, mail: try mail(code, undo, visitor))
        needs.mailer.wake()
        return flow
    }

    /// The code flow of this browser.
    func pendingCode(_ flow: Token?) async throws -> PendingEmailUndo? {
        guard let flow else { return nil }
        return try await needs.store.pendingEmailUndo(flow: flow.digest, now: needs.now())
    }

    /// Sends another code for the same flow; attempts used stay used. Returns false when the flow
    /// has ended.
    func resend(_ pending: PendingEmailUndo, visitor: Visitor) async throws -> Bool {
        try await takeMail(pending.undo, visitor)
        let code = try await newCode(pending.undo)
        let renewed = try await needs.store.renewEmailUndoCode(
            flow: pending.flow, code: needs.codes.digest(code, flow: pending.flow),
            codeExpiresAt: needs.codes.expiry, mail: try mail(code, pending.undo, visitor), now: needs.now()
        )
        needs.mailer.wake()
        return renewed
    }

    /// Takes the address back. Throws `Refusals` for the form, `Refusal.flowSpent` and `.limited`;
    /// a form that is refused costs no attempt.
    func redeem(
        _ pending: PendingEmailUndo, _ form: PasswordReset.Form, visitor: Visitor
    ) async throws -> EmailUndoOutcome {
        guard !pending.isSpent else { throw Refusal.flowSpent }
        let undo = pending.undo
        let (password, code) = try await PasswordReset(needs: needs).checked(
            form, email: undo.email, client: visitor.client)
        // No code is right any more: tries are for the next one.
        do {
            try needs.codes.checkLife(until: pending.codeExpiresAt)
        } catch let refusal as Refusal {
            throw Refusals([refusal])
        }
        try await needs.limits.take(.verify, subject(undo, flow: pending.flow, visitor), now: needs.now())
        let hash = try await needs.hasher.hash(password, client: visitor.client.bucket)
        let tokens = try await needs.store.refreshTokens(accountID: undo.accountID)
        let restoration = try restoration(undo, hash, visitor)
        let attempt = needs.codes.attempt(
            code, .account, flow: pending.flow, emailKey: undo.emailKey, isKnown: false,
            accountID: undo.accountID, visitor: visitor)
        let outcome = try await needs.store.undoEmailChange(
            flow: pending.flow, attempt: attempt,
            restoration: restoration, now: needs.now()
        )
        guard let outcome else {
            needs.audit.log(attempt.failure, visitor: visitor)
            throw Refusals([.codeWrong])
        }
        guard outcome != .gone else { return outcome }
        needs.audit.log(outcome == .locked ? restoration.locked : restoration.event, visitor: visitor)
        needs.mailer.wake()
        await ProviderRevocation(needs: needs).revoke(tokens)
        return outcome
    }

    private func restoration(
        _ undo: EmailUndo, _ hash: PasswordHash, _ visitor: Visitor
    ) throws -> EmailRestoration {
        EmailRestoration(
            passwordHash: hash, failuresKey: needs.secretKey.failuresKey(undo.emailKey),
            notice: try needs.mailer.mail(
                .emailRestored, to: undo.email, locale: visitor.locale, needs.providers.mention),
            farewell: { [needs] in try needs.mailer.mail($1 ? .accountLocked : .emailTakenBack, to: $0) },
            event: needs.audit.event(.emailRestored, accountID: undo.accountID, visitor: visitor),
            locked: needs.audit.event(.emailUndoLocked, accountID: undo.accountID, visitor: visitor)
        )
    }

    /// No browser counts as known: one that is may be that of somebody who took the account over.
    private func newCode(_ undo: EmailUndo) async throws -> Code {
        let record = try await needs.store.loginRecord(
            emailKey: undo.emailKey, failuresKey: needs.secretKey.failuresKey(undo.emailKey))
        return try await needs.codes.make(
            .account, isKnown: false,
            failuresInARow: record.failuresInARow)
    }

    /// Counted like a forgotten password's codes from a known browser.
    private func takeMail(_ undo: EmailUndo, _ visitor: Visitor) async throws {
        try await needs.limits.take(.reset, subject(undo, visitor), now: needs.now())
    }

    /// The link came from the mailbox, so it is counted by itself: what strangers use up of the
    /// address's limits keeps no owner out.
    private func subject(_ undo: EmailUndo, flow: TokenDigest? = nil, _ visitor: Visitor) -> LimitSubject {
        LimitSubject(
            client: visitor.client, email: EmailAddress(undo.email), device: Base64URL.encode(undo.token.bytes),
            flow: flow)
    }

    private func mail(_ code: Code, _ undo: EmailUndo, _ visitor: Visitor) throws -> QueuedMail {
        try needs.mailer.mail(.emailUndoCode, to: undo.email, locale: visitor.locale, ["code": code.digits])
    }
}
