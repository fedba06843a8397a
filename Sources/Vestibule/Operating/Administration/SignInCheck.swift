package import Essentials
package import Foundation

/// What the right password of an account meets now, by the rules of login; tries and counts
/// nothing.
package struct SignInCheck: Sendable {
    /// Nil if the right password signs in, in some browsers at least.
    package let obstacle: SignInObstacle?
    /// Nil without a secret key.
    package let failuresInARow: Int?
    /// Until when the limits of the address refuse browsers that are not known.
    package let limitedUntil: Date?

    package init(
        _ account: Account, store: any CredentialStore & RateLimitStore, settings: Settings, key: SecretKey?, now: Date
    ) async throws {
        guard let key else {
            obstacle = account.obstacle(verificationRequired: settings.verificationRequired)
            (failuresInARow, limitedUntil) = (nil, nil)
            return
        }
        let record = try await store.loginRecord(
            emailKey: account.email.key, failuresKey: key.failuresKey(account.email))
        obstacle = record.obstacle(isKnown: false, verificationRequired: settings.verificationRequired)
        failuresInARow = record.failuresInARow
        let byAddress = settings.limits.login.filter { $0.key == .address }
        let claims = RateLimits(store: store, key: key, limits: [.login: byAddress])
            .claims(.login, LimitSubject(client: .unknown, email: account.email))
        limitedUntil = try await store.refusedUntil(claims, now: now)
    }
}
