import Essentials

/// Reads recovery codes. The store knows whether the account has such a code left.
struct RecoveryCodeVerifier: FactorVerifier {
    let key: SecretKey

    func use(
        _ attempt: FactorAttempt, of factors: AccountFactors, accountID: AccountID, visitor: Visitor
    ) -> FactorUse? {
        guard case .code(let typed, let kind) = attempt, kind ?? .recoveryCode == .recoveryCode,
            let codes = factors.recoveryCodes, codes.left > 0
        else { return nil }
        return RecoveryCode(typed: typed).map { .recoveryCode(digests: $0.digests(key, accountID: accountID)) }
    }
}
