import Crypto
package import Essentials
package import Foundation
package import PasswordHashing

/// A sign-in whose first step was right and whose second one waits. Bound to one browser by the
/// digest of the flow's token; opens nothing.
package struct PendingLogin: Sendable, Equatable {
    /// How often a flow may try.
    package static let attemptsAtMost = 5
    /// In seconds.
    package static let lifetime: TimeInterval = 600

    package let flow: TokenDigest
    package let accountID: AccountID
    package let provedBy: Session.Proof
    /// SHA-256 of the password hash that was right; nil after another first step.
    package let provedDigest: TokenDigest?
    package let remembered: Bool
    package let returnTo: String?
    /// Tries that were used.
    package let attempts: Int
    package let startedAt: Date
    package let expiresAt: Date

    package init(
        flow: TokenDigest, accountID: AccountID, provedBy: Session.Proof, provedDigest: TokenDigest?, remembered: Bool,
        returnTo: String?, attempts: Int = 0, startedAt: Date, expiresAt: Date
    ) {
        self.flow = flow
        self.accountID = accountID
        self.provedBy = provedBy
        self.provedDigest = provedDigest
        self.remembered = remembered
        self.returnTo = returnTo
        self.attempts = attempts
        self.startedAt = startedAt
        self.expiresAt = expiresAt
    }

    /// What stands for a password hash, to tell later whether it is still the account's.
    package static func digest(of hash: PasswordHash) -> TokenDigest {
        TokenDigest(bytes: [UInt8](SHA256.hash(data: Array(hash.phc.utf8))))
    }
}

/// A pending login and whose it is.
package struct PendingLoginRecord: Sendable, Equatable {
    package let login: PendingLogin
    package let account: Account
    package let factors: AccountFactors

    package init(login: PendingLogin, account: Account, factors: AccountFactors) {
        (self.login, self.account, self.factors) = (login, account, factors)
    }
}
