import Essentials
import Foundation

/// Codes of an account's authenticator app as a second factor.
struct TOTPKind: FactorKind {
    let key: SecretKey
    let now: @Sendable () -> Date

    var factor: SecondFactor { .totp }
    var word: String { "app" }

    /// Returns nil, too, if the code's step was used. Throws `FactorUnreadable`.
    func use(
        _ attempt: FactorAttempt, of factors: AccountFactors, accountID: AccountID, visitor: Visitor
    ) throws -> FactorUse? {
        guard let typed = attempt.code(factor), let totp = factors.totp else { return nil }
        let shared = TOTPKey(bytes: try totp.opened(key, of: accountID))
        return TOTP.step(of: typed, shared, after: totp.counter, now: now()).map {
            .counter($0, of: factor, madeAt: totp.createdAt)
        }
    }

    func facts(of factors: AccountFactors, inExport: Bool) -> [String: any Encodable] {
        factors.totp.map { [inExport ? "authenticator_app" : "totp": $0.facts] } ?? [:]
    }
}
