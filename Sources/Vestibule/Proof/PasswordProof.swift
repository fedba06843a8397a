import Foundation

/// The current password, given again by somebody who is signed in (ASVS 6.2.3, 7.5.1).
struct PasswordProof: Sendable {
    let needs: Needs
    /// How long giving the password counts, in seconds.
    static let lifetime: TimeInterval = 600

    /// Whether the password was given lately in this session.
    func isFresh(_ session: Session) -> Bool {
        needs.now().timeIntervalSince(session.provedAt) < Self.lifetime
    }

    /// Throws `Refusals` for a wrong password, and `Refusal.limited`: guessing here counts like guessing at login.
    func check(_ typed: String, of account: Account, visitor: Visitor) async throws {
        let subject = LimitSubject(visitor, email: EmailAddress(account.email), key: needs.secretKey)
        try await needs.limits.take(.login, subject, now: needs.now())
        let hash = try await needs.store.passwordHash(accountID: account.id)
        guard try await needs.hasher.verify(Password(typed), against: hash, client: visitor.client.bucket) else {
            throw Refusals([.currentPasswordWrong])
        }
        let claims = needs.limits.failureClaims(.login, subject)
        try await needs.store.giveBack(claims)
        needs.limits.forget(claims)
    }
}
