/// The end of an account: the current password, and everything is erased.
struct AccountDeletionRule: Sendable {
    let needs: Needs

    /// Throws `Refusals` for a wrong password, and `Refusal.limited`.
    func delete(_ record: SessionRecord, password: String, visitor: Visitor) async throws {
        let account = record.account
        _ = try await PasswordProof(needs: needs).check(password, of: record, visitor: visitor)
        // Two at once: the second finds nothing left, which is what it wanted.
        guard try await erase(account) else { return }
        needs.audit.log(needs.audit.event(.accountDeleted, accountID: account.id, visitor: visitor), visitor: visitor)
    }

    /// Erases the account, mails a farewell and ends its tokens at providers. Returns false when it is gone already. What is
    /// kept of it says no more than which `agent` did it, where that is not a person's.
    func erase(_ account: Account, agent: String = "") async throws -> Bool {
        let deletion = try needs.deletion(of: account, agent: agent)
        let tokens = try await needs.store.refreshTokens(accountID: account.id)
        guard try await needs.store.deleteAccount(deletion) else { return false }
        needs.mailer.wake()
        await ProviderRevocation(needs: needs).revoke(tokens)
        return true
    }
}
