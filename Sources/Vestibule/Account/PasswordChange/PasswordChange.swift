package import Essentials
import Foundation
package import PasswordHashing

/// A new password for somebody who is signed in: the current one is asked for, every other session
/// ends.
struct PasswordChange: Sendable {
    let store: any PasswordChangeStore & AccountStore & IdentityStore & FactorStore
    let reauthentication: Reauthentication
    let newPasswords: NewPasswords
    let sessions: Sessions
    let revocation: ProviderRevocation
    let mailer: Mailer

    func hasPassword(_ account: Account) async throws -> Bool {
        try await store.hasPassword(accountID: account.id)
    }

    /// Changes it and renews the session's token; `ways` are the ways in that remain, and those
    /// that do not. Throws `Refusals` for the form, and `Refusal.limited`.
    func change(
        _ record: SessionRecord, to new: NewPassword, current: String, visitor: Visitor
    ) async throws -> (renewed: RenewedBrowser, ways: WaysInReview) {
        let account = record.account
        let password: Password
        do {
            password = try await newPasswords.judged(
                new, email: account.email.typed, displayName: account.displayName, client: visitor.client)
        } catch let refused as Refusals {
            throw Refusals(try await reauthentication.missing(current, of: account) + refused.all)
        }
        guard let proved = try await reauthentication.check(current, of: record, visitor: visitor) else {
            throw Refusals([.currentPasswordWrong])
        }
        let email = account.email
        let limits = reauthentication.limits
        let counted = try await limits.take(
            .passwordChange, LimitSubject(client: visitor.client, account: account.id), now: reauthentication.now())
        let hash = try await limits.unlessBusy(counted) {
            try await reauthentication.hasher.hash(password, client: visitor.client.bucket)
        }
        let isKnown = try await reauthentication.browsers.isKnown(visitor, to: email)
        let (token, ways) = try await replace(proved, by: hash, record, visitor)
        // A browser that was known stays so when all others are forgotten.
        let device = isKnown ? reauthentication.browsers.cookie(of: visitor, adding: email) : nil
        return (RenewedBrowser(token: token, device: device), ways)
    }

    private func replace(
        _ proved: PasswordHash, by hash: PasswordHash, _ record: SessionRecord, _ visitor: Visitor
    ) async throws -> (Token, WaysInReview) {
        let account = record.account
        let (token, renewal) = sessions.renew(record, provedBy: .password, visitor: visitor)
        let event = reauthentication.audit.event(.passwordChanged, accountID: account.id, visitor: visitor)
        let review = WaysInReview(
            try await store.linkedIdentities(emailKey: account.email.key),
            try await store.passkeys(emailKey: account.email.key), of: account, firstProof: false,
            now: reauthentication.now())
        let removal = review.removal { reauthentication.audit.event($0, accountID: account.id, visitor: visitor) }
        try await store.changePassword(
            hash, from: proved, accountID: account.id, renewal: renewal, ways: removal,
            notice: try mailer.mail(
                .passwordReplaced, to: account, review.mention(reauthentication.providers), by: visitor),
            event: event)
        mailer.wake()
        ([event] + removal.events).forEach { reauthentication.audit.log($0, visitor: visitor) }
        await revocation.revoke(review.removed)
        return (token, review)
    }
}

extension SecurityEvent.Kind {
    static let passwordChanged = Self("password_changed", log: "authn_password_change")
}

extension MailContent.Kind {
    static let passwordReplaced = Self("password-replaced")
}

/// The store's part of a new password.
package protocol PasswordChangeStore: Sendable {
    /// Sets the hash in place of the one that was proved, renews the session, ends every other one
    /// of the account, takes away the ways in that go and queues the notice: one transaction.
    /// Throws `Superseded`.
    func changePassword(
        _ hash: PasswordHash, from proved: PasswordHash, accountID: AccountID, renewal: SessionRenewal,
        ways: ReviewedWays, notice: QueuedMail, event: SecurityEvent
    ) async throws
}
