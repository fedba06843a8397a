import Essentials
import Foundation
import PasswordHashing

/// The current password, given again by somebody who is signed in (ASVS 6.2.3, 7.5.1). An account
/// without one is proved by a provider instead (`ProviderProof`).
struct PasswordProof: Sendable {
    let needs: Needs
    /// How long giving the password counts, in seconds.
    static let lifetime: TimeInterval = 600

    /// Whether the password was given, or a provider vouched, lately in this session.
    func isFresh(_ session: Session) -> Bool {
        needs.now().timeIntervalSince(session.provedAt) < Self.lifetime
    }

    /// Whether a way in may be added: the password was given lately, or, where there is none, a
    /// provider vouched lately.
    func mayAddWayIn(_ record: SessionRecord) async throws -> Bool {
        guard isFresh(record.session) else { return false }
        guard record.session.provedBy != .password else { return true }
        return try await !needs.store.hasPassword(accountID: record.account.id)
    }

    /// Returns the hash the password was proved against; `nil` for an account without one, whose owner has lately signed in
    /// another way. Throws `Refusals` for an empty or a wrong password, and `Refusal.limited`:
    /// guessing here counts, and is told, like guessing at login.
    func check(_ typed: String, of session: SessionRecord, visitor: Visitor) async throws -> PasswordHash? {
        let account = session.account
        let emailKey = EmailAddress(account.email)?.key ?? account.email
        let failuresKey = needs.secretKey.failuresKey(emailKey)
        let record = try await needs.store.loginRecord(emailKey: emailKey, failuresKey: failuresKey)
        guard record.account?.id == account.id else { throw Superseded() }
        guard record.passwordHash != nil else {
            guard isFresh(session.session) else { throw Refusals([.proofMissing]) }
            return nil
        }
        guard !typed.isEmpty else { throw Refusals([.currentPasswordMissing]) }
        let subject = try await needs.browsers.subject(visitor, email: EmailAddress(account.email))
        try await needs.limits.take(.login, subject, now: needs.now())
        let isOpen = subject.device != nil || record.failuresInARow < FailuresInARow.atMost
        let hash = isOpen ? record.passwordHash : nil
        let matches = try await needs.hasher.verify(
            Password(typed), against: hash, client: visitor.client.bucket, isKnown: subject.device != nil)
        guard matches, let hash else {
            let event = needs.audit.event(.proofFailed, accountID: account.id, visitor: visitor)
            try await needs.store.loginFailed(failuresKey: failuresKey, event: event)
            needs.audit.log(event, visitor: visitor)
            throw Refusals([.currentPasswordWrong])
        }
        let claims = needs.limits.failureClaims(.login, subject)
        try await needs.store.giveBack(claims)
        needs.limits.forget(claims)
        return hash
    }
}
