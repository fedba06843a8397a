/// The end of an account: the current password, and everything is erased.
struct AccountDeletion: Sendable {
    let eraser: AccountEraser
    let reauthentication: Reauthentication
    let audit: Audit

    /// Throws `Refusals` for a wrong password, and `Refusal.limited`.
    func delete(_ record: SessionRecord, password: String, visitor: Visitor) async throws {
        let account = record.account
        _ = try await reauthentication.check(password, of: record, visitor: visitor)
        // Two at once: the second finds nothing left, which is what it wanted.
        guard try await eraser.erase(account, by: record.presented) else { return }
        audit.log(audit.event(.accountDeleted, accountID: account.id, visitor: visitor), visitor: visitor)
    }
}

extension SecurityEvent.Kind {
    static let accountDeleted = Self("account_deleted", log: "user_deleted")
}

extension MailContent.Kind {
    static let accountDeleted = Self("account-deleted")
}
