/// Why a right password does not sign in.
package enum SignInObstacle: String, Sendable {
    case disabled
    /// The mailbox is not proved.
    case unverified
    /// After so many failures in a row only a known browser may try.
    case failuresInARow = "failures_in_a_row"
}

extension Account {
    /// Why nothing opens the account now; nil if something may.
    package func obstacle(verificationRequired: Bool) -> SignInObstacle? {
        if disabledAt != nil { return .disabled }
        return verifiedAt == nil && verificationRequired ? .unverified : nil
    }
}

extension LoginRecord {
    /// Why no password opens the account now, if there is one; nil if the right one does.
    package func obstacle(isKnown: Bool, verificationRequired: Bool) -> SignInObstacle? {
        if let obstacle = account?.obstacle(verificationRequired: verificationRequired) { return obstacle }
        return isKnown || failuresInARow < FailuresInARow.atMost ? nil : .failuresInARow
    }
}
