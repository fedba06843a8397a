package import Essentials

/// Takes a way to sign in away, here and at the provider; its owner hears of it.
struct IdentityUnlinking: Sendable {
    let store: any SignInMethodStore
    let providers: Providers
    let revocation: ProviderRevocation
    let mailer: Mailer
    let audit: Audit
    let inUse: WaysInUse

    func remove(_ id: String, from record: SessionRecord, visitor: Visitor) async throws -> IdentityRemoval {
        let account = record.account
        let identity = try await store.identities(accountID: account.id).first { $0.id == id }
        guard let identity else { return .unknown }
        let event = audit.event(.identityUnlinked, accountID: account.id, visitor: visitor)
        let removal = try await store.unlink(
            id: id, by: record.presented, inUse: inUse,
            notice: try mailer.mail(
                .identityRemoved, to: account, ["provider": providers.label(identity.provider)], by: visitor),
            event: event
        )
        guard case .removed(let identity) = removal else { return removal }
        mailer.wake()
        audit.log(event, visitor: visitor)
        await revocation.revoke([identity])
        return removal
    }
}

/// The store's part of the ways in that an account's owner sees and takes away.
package protocol SignInMethodStore: Sendable {
    /// The identities of the account, the oldest first, at most 100.
    func identities(accountID: AccountID) async throws -> [Identity]
    /// Removes an identity of the account and queues the notice, unless neither a password nor
    /// another way in that is `inUse` would be left: one transaction. Throws `Superseded`.
    func unlink(
        id: String, by session: PresentedSession, inUse: WaysInUse, notice: QueuedMail, event: SecurityEvent
    ) async throws -> IdentityRemoval
}
