import Essentials
import Foundation

/// Checks the codes of an account's authenticator app.
struct TOTPVerifier: FactorVerifier {
    let key: SecretKey
    let now: @Sendable () -> Date

    /// Returns nil, too, if the code's step was used. Throws `FactorUnreadable`.
    func use(
        _ attempt: FactorAttempt, of factors: AccountFactors, accountID: AccountID, visitor: Visitor
    ) throws -> FactorUse? {
        guard case .code(let typed, let kind) = attempt, kind ?? .totp == .totp, let totp = factors.totp else {
            return nil
        }
        let shared = try TOTPKey(totp, key, of: accountID)
        return TOTP.step(of: typed, shared, after: totp.lastStep, now: now()).map {
            .totp(step: $0, madeAt: totp.createdAt)
        }
    }
}
