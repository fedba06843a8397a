package import Essentials

/// Takes a way to sign in away, here and at the provider; its owner hears of it.
struct IdentityUnlinking: Sendable {
    let store: any SignInMethodStore
    let providers: Providers
    let revocation: ProviderRevocation
    let changes: FactorChanges
    let inUse: WaysInUse

    /// Returns the session's new token, too, which counts once the identity is removed.
    func remove(
        _ id: String, from record: SessionRecord, visitor: Visitor
    ) async throws -> (IdentityRemoval, token: Token?) {
        let identity = try await store.identities(accountID: record.accountID).first { $0.id == id }
        guard let identity else { return (.unknown, nil) }
        let (token, change) = try changes.prepare(
            .init(mail: .identityRemoved, event: .identityUnlinked), record,
            ["provider": providers.label(identity.provider)], visitor: visitor)
        let removal = try await store.unlink(id: id, by: record.presented, inUse: inUse, change)
        guard case .removed(let identity) = removal else { return (removal, nil) }
        changes.made(change, visitor: visitor)
        await revocation.revoke([identity])
        return (removal, token)
    }
}

/// The store's part of the ways in that an account's owner sees and takes away.
package protocol SignInMethodStore: Sendable {
    /// The identities of the account, the oldest first, at most 100.
    func identities(accountID: AccountID) async throws -> [Identity]
    /// Removes an identity of the account, renews the session and queues the notice, unless neither
    /// a password nor another way in that is `inUse` would be left: one transaction. Throws
    /// `Superseded`.
    func unlink(
        id: String, by session: PresentedSession, inUse: WaysInUse, _ change: FactorChange
    ) async throws -> IdentityRemoval
}
