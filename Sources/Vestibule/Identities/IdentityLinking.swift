import Essentials
import Foundation

/// Adding a way to sign in to an account, and taking one away; its owner hears of both.
struct IdentityLinking: Sendable {
    let needs: Needs
    let signIn: ProviderSignIn

    /// Adds to the account of that session. Returns false when the identity belongs to another account; adding twice does
    /// nothing. Throws `Superseded` when the session has ended, and `ProviderFault` for an answer used before.
    func add(_ pending: PendingIdentity, to record: SessionRecord, visitor: Visitor) async throws -> Bool {
        do {
            return try await addOnce(pending, record.session, record.account, visitor)
        } catch is UsedBefore {
            throw ProviderFault.rejected("used before")
        }
    }

    private func addOnce(
        _ pending: PendingIdentity, _ session: Session, _ account: Account, _ visitor: Visitor
    ) async throws -> Bool {
        if let record = try await needs.store.identity(issuer: pending.issuer, subject: pending.subject) {
            return record.account.id == account.id
        }
        let event = needs.audit.event(.identityLinked, accountID: account.id, visitor: visitor)
        let isAdded = try await needs.store.link(
            NewIdentity(
                identity: identity(pending, accountID: account.id, at: needs.now()),
                refreshToken: try signIn.sealed(pending)
            ),
            sessionID: session.id, once: pending.once,
            notice: try needs.mailer.mail(
                .identityAdded, to: account, ["provider": needs.providers.label(pending.provider)]),
            event: event
        )
        guard isAdded else { return false }
        needs.mailer.wake()
        needs.audit.log(event, visitor: visitor)
        return true
    }

    /// Takes a way to sign in away, here and at the provider.
    func remove(_ id: String, from account: Account, provider: String, visitor: Visitor) async throws -> IdentityRemoval
    {
        let event = needs.audit.event(.identityUnlinked, accountID: account.id, visitor: visitor)
        let removal = try await needs.store.unlink(
            id: id, accountID: account.id, configured: needs.providers.all.map(\.settings.name),
            notice: try needs.mailer.mail(.identityRemoved, to: account, ["provider": needs.providers.label(provider)]),
            event: event
        )
        guard case .removed(let identity, let token) = removal else { return removal }
        needs.mailer.wake()
        needs.audit.log(event, visitor: visitor)
        if let token { await ProviderRevocation(needs: needs).revoke([SealedGrant(identity, token)]) }
        return removal
    }

    func identity(_ pending: PendingIdentity, accountID: String, at now: Date) -> Identity {
        Identity(
            id: needs.random.id(), accountID: accountID, provider: pending.provider, issuer: pending.issuer,
            subject: pending.subject, email: pending.email, createdAt: now
        )
    }
}
