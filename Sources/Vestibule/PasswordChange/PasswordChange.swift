import Essentials
import Foundation
import PasswordHashing

/// A new password for somebody who is signed in: the current one is asked for, every other session ends.
struct PasswordChange: Sendable {
    let needs: Needs
    let sessions: Sessions

    /// Changes it and renews the session's token. Returns that, and the cookie of a browser that was known, which it stays
    /// when all others are forgotten, and which ways in remain. Throws `Refusals` for the form, and `Refusal.limited`.
    func change(
        _ record: SessionRecord, to new: NewPassword, current: String, visitor: Visitor
    ) async throws -> (token: Token, device: DeviceCookie?, ways: WaysInNotice) {
        let account = record.account
        let password = try await needs.newPasswords.judged(
            new, email: account.email, displayName: account.displayName, client: visitor.client
        )
        guard let proved = try await PasswordProof(needs: needs).check(current, of: record, visitor: visitor) else {
            throw Refusals([.currentPasswordWrong])
        }
        let hash = try await needs.hasher.hash(password, client: visitor.client.bucket)
        let email = EmailAddress(account.email)
        let isKnown = try await needs.browsers.isKnown(visitor, to: email)
        let (token, renewal) = sessions.renew(record.session, provedBy: .password, visitor: visitor)
        let event = needs.audit.event(.passwordChanged, accountID: account.id, visitor: visitor)
        let review = WaysInReview(
            try await needs.store.linkedIdentities(emailKey: email?.key ?? account.email),
            of: account, now: needs.now())
        let removal = review.removal {
            needs.audit.event(.identityUnlinked, accountID: account.id, visitor: visitor)
        }
        try await needs.store.changePassword(
            hash, from: proved, accountID: account.id, renewal: renewal, identities: removal,
            notice: try needs.mailer.mail(.passwordReplaced, to: account, review.mention(needs.providers)), event: event
        )
        needs.mailer.wake()
        ([event] + removal.events).forEach { needs.audit.log($0, visitor: visitor) }
        await ProviderRevocation(needs: needs).revoke(review.tokens)
        return (token, isKnown ? email.map { needs.browsers.cookie(of: visitor, adding: $0) } : nil, review.told)
    }
}
