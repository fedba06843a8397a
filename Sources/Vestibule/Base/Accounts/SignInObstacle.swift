/// Why a right password does not sign in.
package enum SignInObstacle: String, Sendable {
    case disabled
    /// The mailbox is not verified.
    case unverified
    /// After so many failures in a row only a known browser may try.
    case failuresInARow = "failures_in_a_row"
}

extension Account {
    /// Why no way in opens the account now; nil if one may.
    package func obstacle(verificationRequired: Bool) -> SignInObstacle? {
        if disabledAt != nil { return .disabled }
        return verifiedAt == nil && verificationRequired ? .unverified : nil
    }
}

extension LoginRecord {
    /// Why even the right password is refused now; nil if it is not. Says nothing about whether
    /// there is an account or a password.
    package func obstacle(isKnown: Bool, verificationRequired: Bool) -> SignInObstacle? {
        if let obstacle = account?.obstacle(verificationRequired: verificationRequired) { return obstacle }
        return isKnown || failuresInARow < FailuresInARow.atMost ? nil : .failuresInARow
    }
}
