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
    static let lifetime: TimeInterval = 600

    package let flow: TokenDigest
    package let accountID: AccountID
    package let provedBy: FirstFactor
    /// SHA-256 of the password hash that was right; nil after another first step.
    package let provedDigest: TokenDigest?
    package let remembered: Bool
    package let returnTo: String?
    /// Tries that were used.
    package var attempts = 0
    package let startedAt: Date
    package let expiresAt: Date

    /// Whether one more wrong try ends it.
    var isAtLastTry: Bool { attempts + 1 >= Self.attemptsAtMost }

    package init(
        flow: TokenDigest, accountID: AccountID, provedBy: FirstFactor, provedDigest: TokenDigest?, remembered: Bool,
        returnTo: String?, startedAt: Date, expiresAt: Date
    ) {
        (self.flow, self.accountID) = (flow, accountID)
        (self.provedBy, self.provedDigest) = (provedBy, provedDigest)
        (self.remembered, self.returnTo) = (remembered, returnTo)
        (self.startedAt, self.expiresAt) = (startedAt, expiresAt)
    }

    /// What stands for a password hash, to tell later whether it is still the account's.
    package static func digest(of hash: PasswordHash) -> TokenDigest {
        TokenDigest(of: hash.phc)
    }

    /// The id of the event that says that this flow waits. Tells nothing of the flow.
    package static func eventID(of flow: TokenDigest) -> String {
        "step." + Base64URL.encode(Array(SHA256.hash(data: flow.bytes).prefix(16)))
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

/// The store's part of logins that wait for their second step, which `SignInStore.loginSucceeded`
/// ends.
package protocol PendingLoginStore: Sendable {
    /// Keeps a pending login and the events, gives the claims back, keeps the renewed hash and
    /// notes that the identity or the passkey was used: one transaction. Throws `Superseded` when
    /// the password was changed, the identity removed, the account closed or the limit for the
    /// failures of `limitedBy` reached meanwhile, and `UsedBefore`. Need not survive a power cut
    /// unless a hash is renewed or something used once: the visitor begins anew.
    func beginSecondStep(_ login: PendingLogin, of signIn: ProvedSignIn) async throws
    /// Returns nil if it is unknown or has ended, or its account cannot sign in.
    func pendingLogin(_ flow: TokenDigest, now: Date) async throws -> PendingLoginRecord?
    /// Takes the claims and uses up one try, before anything is compared: one transaction. Returns
    /// how many are used up now; nil if the login is unknown or has ended, and when no try is left:
    /// the claims are taken then, too. Throws `LimitRefusal`; then nothing is used up. Need not
    /// survive a power cut, like other counters.
    func tryPendingLogin(_ flow: TokenDigest, claims: [LimitClaim], now: Date) async throws -> Int?
    /// A wrong second factor: one more failure in a row of the address, the event, and for every
    /// fifth in a row of the account the notice, unless one of its claims is refused. Returns
    /// whether that was queued.
    func secondStepFailed(
        failuresKey: [UInt8], event: SecurityEvent, notice: QueuedMail, claims: [LimitClaim]
    ) async throws -> Bool
}
