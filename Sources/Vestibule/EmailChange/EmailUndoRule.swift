import Foundation

/// "This was not me": the owner of the former address takes the account back with a new password.
struct EmailUndoRule: Sendable {
    let needs: Needs

    /// What the link of the mail would undo; `nil` when it is over or was never given.
    func pending(_ token: Token?) async throws -> EmailUndo? {
        guard let token else { return nil }
        return try await needs.store.emailUndo(token.digest, now: needs.now())
    }

    /// Takes the address back. Throws `Refusals` for the form, and `Refusal.limited`.
    func undo(_ undo: EmailUndo, _ new: NewPassword, visitor: Visitor) async throws -> EmailUndoOutcome {
        let password = try await new.judged(email: undo.email, displayName: nil, needs)
        try await needs.limits.take(.reset, LimitSubject(client: visitor.client), now: needs.now())
        let hash = try await needs.hasher.hash(password, client: visitor.client.bucket)
        let event = needs.audit.event(.emailRestored, accountID: undo.accountID, visitor: visitor)
        let locked = needs.audit.event(.emailUndoLocked, accountID: undo.accountID, visitor: visitor)
        let tokens = try await needs.store.refreshTokens(accountID: undo.accountID)
        let outcome = try await needs.store.undoEmailChange(
            undo.token,
            restoration: EmailRestoration(
                passwordHash: hash, failuresKey: needs.failuresKey(undo.emailKey),
                notice: needs.mail(
                    .emailRestored, to: undo.email, locale: visitor.locale, needs.providers.mention),
                farewell: { try needs.mail($1 ? .accountLocked : .emailTakenBack, to: $0) }, event: event,
                locked: locked
            ),
            now: needs.now()
        )
        guard outcome != .gone else { return outcome }
        needs.audit.log(outcome == .locked ? locked : event, visitor: visitor)
        needs.outboxBell.ring()
        await ProviderRevocation(needs: needs).revoke(tokens)
        return outcome
    }
}
