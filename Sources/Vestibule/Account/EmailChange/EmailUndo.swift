import Essentials
import Foundation
import PasswordHashing

/// "This was not me": the owner of the former address takes the account back, with a code from that
/// mailbox and a new password. The link alone, which may have leaked, does nothing. Also while the
/// account is disabled, which it then stays: an operator who disables a stolen account at once must
/// not take this way from its owner.
struct EmailUndo: Sendable {
    let store: any EmailUndoStore & IdentityStore & FactorStore
    let flows: CodeFlows
    let hasher: PasswordHasher
    let mailer: Mailer
    let providers: Providers
    let revocation: ProviderRevocation

    /// What the link of the mail would undo; `nil` when it is over or was never given.
    func pending(_ token: Token?) async throws -> EmailUndoLink? {
        guard let token else { return nil }
        return try await store.emailUndo(token.digest, now: flows.now())
    }

    /// Mails a code to the former address. Returns the flow's handle. Throws `.limited`.
    func request(_ undo: EmailUndoLink, replaces: Token?, visitor: Visitor) async throws -> Token {
        try await takeMail(undo, visitor)
        let record = try await flows.record(undo.email)
        // No browser counts as known: one that is may be that of somebody who took the account
        // over.
        let begun = try await flows.begin(
            undo.email, .account, isKnown: false, failuresInARow: record.failuresInARow)
        try await store.addPendingEmailUndo(
            PendingEmailUndo(code: begun.pending, undo: undo), replaces: replaces?.digest,
            mail: try mail(begun.code, undo, visitor))
        mailer.wake()
        return begun.token
    }

    func pendingCode(_ flow: Token?) async throws -> PendingEmailUndo? {
        guard let flow else { return nil }
        return try await store.pendingEmailUndo(flow: flow.digest, now: flows.now())
    }

    /// Sends another code for the same flow; attempts used stay used. Returns false when the flow
    /// has ended.
    func resend(_ pending: PendingEmailUndo, visitor: Visitor) async throws -> Bool {
        try await takeMail(pending.undo, visitor)
        let record = try await flows.record(pending.undo.email)
        let renewed = try await flows.renew(
            .emailUndo, pending.code, .account, isKnown: false, failuresInARow: record.failuresInARow
        ) { .certain(try mail($0, pending.undo, visitor)) }
        mailer.wake()
        return renewed
    }

    /// Takes the address back. Returns also which passkeys still open the account. Throws
    /// `Refusals` for the form, `Refusal.flowSpent` and `.limited`; a form that is refused costs no
    /// attempt.
    func redeem(
        _ pending: PendingEmailUndo, _ form: CodeAndPassword, visitor: Visitor
    ) async throws -> (outcome: EmailUndoOutcome, kept: [Passkey]) {
        let undo = pending.undo
        let (admitted, password) = try await flows.admit(
            form, pending.code, as: subject(undo, flow: pending.code.flow, visitor), visitor: visitor)
        let hash = try await flows.limits.unlessBusy(admitted.counted) {
            try await hasher.hash(password, client: visitor.client.bucket)
        }
        let identities = try await store.linkedIdentities(accountID: undo.accountID)
        let attempt = flows.attempt(
            admitted.code, pending.code, .account, isKnown: false, accountID: undo.accountID, visitor: visitor)
        // A change of the displaced address on the way is read again: it must not keep the owner
        // out.
        let (outcome, restoration, kept) = try await Superseded.onceMore(times: 2) {
            try await flows.judgingByName(form.password, hash, pending.code, admitted.counted, visitor) {
                try await restore(pending, attempt, $0, visitor)
            }
        }
        guard let outcome else { throw Refusals([flows.refuse(attempt, pending.code, visitor: visitor)]) }
        guard outcome != .gone else { return (.gone, []) }
        flows.audit.log(outcome == .locked ? restoration.locked : restoration.event, visitor: visitor)
        mailer.wake()
        await revocation.revoke(identities)
        return (outcome, outcome == .locked ? [] : kept)
    }

    private func restore(
        _ pending: PendingEmailUndo, _ attempt: CodeAttempt, _ hash: JudgedHash, _ visitor: Visitor
    ) async throws -> (EmailUndoOutcome?, EmailRestoration, kept: [Passkey]) {
        guard let displaced = try await store.account(pending.undo.accountID) else { throw Refusals([.codeWrong]) }
        let factors = try await store.factors(accountID: displaced.id)
        let kept = factors.passkeys.filter(pending.undo.keeps)
        let restoration = try restoration(
            pending.undo, displaced, try await mention(of: displaced, factors, kept), hash, visitor)
        let outcome = try await store.undoEmailChange(
            flow: pending.code.flow, attempt: attempt, restoration: restoration, now: flows.now())
        return (outcome, restoration, kept)
    }

    /// What the mail says of other ways into the account, and of an account that stays disabled.
    private func mention(
        of account: Account, _ factors: AccountFactors, _ kept: [Passkey]
    ) async throws -> [String: String] {
        let identities = try await store.linkedIdentities(emailKey: account.email.key)
        var values: [String: String] = [:]
        if !identities.isEmpty {
            let labels = Set(identities.map { providers.label($0.identity.provider) })
            values["providers"] = labels.sorted().joined(separator: ", ")
        }
        let silent = factors.passkeys.filter { !$0.isSecondFactor }
        if !silent.isEmpty { values["passkeys"] = silent.map(\.name).joined(separator: ", ") }
        if factors.asksSecondStep { values["factors"] = "yes" }
        if !kept.isEmpty { values["passkeys_kept"] = kept.map(\.name).joined(separator: ", ") }
        if account.disabledAt != nil { values["disabled"] = "yes" }
        return values
    }

    private func restoration(
        _ undo: EmailUndoLink, _ displaced: Account, _ mention: [String: String], _ hash: JudgedHash, _ visitor: Visitor
    ) throws -> EmailRestoration {
        EmailRestoration(
            passwordHash: hash, failuresKey: flows.key.failuresKey(undo.email),
            notice: try mailer.mail(.emailRestored, to: undo.email, locale: visitor.locale, mention, by: visitor),
            // The owner's IP address is nothing for those who had taken the account over.
            displaced: displaced, farewell: try mailer.mail(.emailTakenBack, to: displaced),
            lockNotice: try mailer.mail(.accountLocked, to: displaced),
            event: flows.audit.event(.emailRestored, accountID: undo.accountID, visitor: visitor),
            locked: flows.audit.event(.emailUndoLocked, accountID: undo.accountID, visitor: visitor)
        )
    }

    /// Counted by the link; once that is used up by the owner's known browser, and then like a
    /// forgotten password's codes: a person who has a copy of the link must not keep its owner out.
    private func takeMail(_ undo: EmailUndoLink, _ visitor: Visitor) async throws {
        let byLink = flows.limits.claims(.reset, subject(undo, visitor))
        let (own, isKnown) = try await flows.browsers.recoverySubject(visitor, email: undo.email)
        // Apart from the mails that known browsers have together: a thief may have such browsers.
        let byBrowser = own.device == nil ? [] : [flows.limits.claims(.reset, own)]
        try await flows.limits.take(
            firstOf: [byLink] + byBrowser + flows.recoveryMailClaims(own, isKnown: isKnown), now: flows.now())
    }

    private func subject(_ undo: EmailUndoLink, flow: TokenDigest? = nil, _ visitor: Visitor) -> LimitSubject {
        LimitSubject(link: undo.token, to: undo.email, client: visitor.client, flow: flow)
    }

    private func mail(_ code: MailedCode, _ undo: EmailUndoLink, _ visitor: Visitor) throws -> QueuedMail {
        try mailer.mail(.emailUndoCode, to: undo.email, locale: visitor.locale, ["code": code.digits], id: code.mailID)
    }
}
