import Essentials

/// Reads recovery codes. The store knows whether the account has such a code left.
struct RecoveryCodeVerifier: FactorVerifier {
    let key: SecretKey

    /// Throws `FactorUnreadable`.
    func use(
        _ attempt: FactorAttempt, of factors: AccountFactors, accountID: AccountID, visitor: Visitor
    ) throws -> FactorUse? {
        guard case .code(let typed, let kind) = attempt, kind ?? .recoveryCode == .recoveryCode,
            let codes = factors.recoveryCodes, codes.left > 0, let code = RecoveryCode(typed: typed)
        else { return nil }
        return .recoveryCode(digest: try RecoveryKey(codes.sealedKey, key, of: accountID).digest(code, of: accountID))
    }
}
