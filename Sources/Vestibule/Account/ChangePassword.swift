import Foundation

/// A new password for somebody who is signed in: the current one is asked for, every other session ends.
struct ChangePassword: Sendable {
    let needs: Needs
    let sessions: Sessions

    /// Changes it and renews the session's token. Returns that, and the cookie of a browser that was known, which it stays
    /// when all others are forgotten. Throws `Refusals` for the form, and `Refusal.limited`.
    func change(
        _ record: SessionRecord, to new: NewPassword, current: String, visitor: Visitor
    ) async throws -> (token: Token, device: DeviceCookie?) {
        let account = record.account
        let password = try await new.judged(
            email: account.email, displayName: account.displayName, visitor: visitor, needs
        )
        guard let proved = try await PasswordProof(needs: needs).check(current, of: record, visitor: visitor) else {
            throw Refusals([.currentPasswordWrong])
        }
        let hash = try await needs.hasher.hash(password, client: visitor.client.bucket)
        let email = EmailAddress(account.email)
        let isKnown = try await needs.isKnown(visitor, to: email)
        let (token, renewal) = sessions.renew(record.session, visitor: visitor)
        let event = needs.audit.event(.passwordChanged, accountID: account.id, visitor: visitor)
        try await needs.store.changePassword(
            hash, from: proved, accountID: account.id, renewal: renewal,
            notice: try needs.mail(.passwordReplaced, to: account), event: event
        )
        needs.outboxBell.ring()
        needs.audit.log(event, visitor: visitor)
        return (token, isKnown ? email.map { visitor.device(adding: $0, needs) } : nil)
    }
}
