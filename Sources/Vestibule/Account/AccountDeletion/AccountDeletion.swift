import Essentials

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
        guard try await eraser.erase(account, by: record.presented, visitor: visitor) else { return }
        audit.log(audit.event(.accountDeleted, accountID: account.id, visitor: visitor), visitor: visitor)
    }
}

extension SecurityEvent.Kind {
    static let accountDeleted = Self("account_deleted", log: "user_deleted")
}

extension MailContent.Kind {
    static let accountDeleted = Self("account-deleted")
}

/// The word that is typed so that nobody deletes an account by accident.
struct DeletionWord: Sendable {
    /// As the page says it.
    let shown: String
    /// Taken in every language.
    static let english = "delete"

    /// Whether it is that word or the English one. Letter case, spaces around it, invisible
    /// characters and the way an accent is written make no difference. What is empty is no word.
    func matches(_ typed: String) -> Bool {
        guard typed.utf8.count <= 200, typed.isStreamSafe else { return false }
        let word = Self.folded(typed)
        return !word.isEmpty && (word.isExactly(Self.folded(shown)) || word.isExactly(Self.english))
    }

    private static func folded(_ text: String) -> String {
        let visible = String(String.UnicodeScalarView(text.unicodeScalars.filter { !$0.isInvisible }))
        // Characters: letter case goes by scalars.
        return visible.trimmedAndComposed.lowercased().composed
    }
}
