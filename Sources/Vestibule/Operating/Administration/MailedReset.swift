import Essentials
import Foundation

/// A reset that the operator starts: its mail carries a code, and a link that binds the flow to the
/// browser that opens it.
package struct MailedReset: Sendable {
    /// How long the link works; its page sends another code when the first has expired.
    static let lifetime: Duration = .seconds(7 * 86_400)

    package let pending: PendingReset
    package let mail: QueuedMail
    package let event: SecurityEvent
}

extension Administration {
    /// Makes an account without password and mails its owner a way to choose one. Without a name,
    /// it is called by what stands before the `@`. Throws `Refusal.emailInvalid`, `.emailTaken` or
    /// one about the name.
    package func invite(_ address: String, name: String?, locale: String) async throws -> Account {
        guard let email = EmailAddress(address) else { throw Refusal.emailInvalid }
        let name = try DisplayName(name ?? email.localPart)
        let account = Account(
            id: AccountID(from: author.random), email: email, displayName: name.text, createdAt: author.now(),
            verifiedAt: nil, locale: locale, termsVersion: nil
        )
        let reset = try mailedReset(.invitation, account, .accountInvited)
        guard try await store.addInvitedAccount(account, reset: reset) else {
            throw Refusal.emailTaken
        }
        return account
    }

    /// Mails the owner a way to choose a new password, or the invitation again where nobody has
    /// proved the mailbox or chosen a password; nothing changes before it is used. Returns false
    /// when the account is disabled.
    package func sendReset(to account: Account) async throws -> Bool {
        let hasPassword = try await store.hasPassword(accountID: account.id)
        let reset = try mailedReset(
            account.verifiedAt == nil && !hasPassword ? .invitation : .resetRequested, account, .resetSent)
        return try await store.addMailedReset(reset, accountID: account.id)
    }

    private func mailedReset(
        _ kind: MailContent.Kind, _ account: Account, _ event: SecurityEvent.Kind
    ) throws -> MailedReset {
        let begun = codes.begin(
            account.email, .short, endsAt: author.now().addingTimeInterval(MailedReset.lifetime.seconds))
        let pending = PendingReset(code: begun.pending, locale: account.locale)
        let name = Self.isPlain(account.displayName) ? account.displayName : account.email.typed
        let values = ["code": begun.code.digits, "flow": begun.token.text, "display_name": name]
        return MailedReset(
            pending: pending,
            mail: try mailer.mail(
                kind, to: account.email, locale: account.locale, values, id: begun.code.mailID),
            event: author.event(event, account.id)
        )
    }

    /// Whether a name has neither a link nor digits for a code: a thief in a session of the account
    /// may have chosen it.
    private static func isPlain(_ name: String) -> Bool {
        !name.mayBecomeLink && name.unicodeScalars.count { $0.properties.numericType != nil } < 6
    }
}

extension MailContent.Kind {
    static let invitation = Self("invitation", usefulFor: MailedReset.lifetime)
    static let resetRequested = Self("reset-requested", usefulFor: MailedReset.lifetime)
}
