package import Essentials
import Foundation
package import PasswordHashing

/// A sign-in from its first proof to the store, with everything that is written with it.
package struct ProvedSignIn: Sendable {
    package let account: Account
    let provedBy: FirstFactor
    let remembered: Bool
    /// Where the visitor wanted to go; already checked.
    let returnTo: String?
    /// Whether the browser has signed in to the account before.
    let isKnown: Bool
    /// The browser's cookie, where it was made before.
    var device: DeviceCookie?
    /// When the person signed in at the provider; nil means the present moment.
    var provedAt: Date?
    /// What was proved besides.
    package var secondFactor: SecondFactor?
    /// Whether the account has a second factor that this browser is not asked for.
    var hasFactor = false

    /// The hash the password was proved against; nil for a sign-in without password.
    package var proved: PasswordHash?
    /// What takes its place.
    package var rehash: PasswordHash?
    /// The identity that a provider vouched for.
    package var identity: IdentityUse?
    /// The factor that was right besides the password, or in its place.
    package var use: FactorUse?
    /// Ends the flow of the second step.
    package var secondStep: SecondStepEnd?
    /// Second factors that the account was found to have none of: why none was asked for. Looked at
    /// again when the session is stored.
    package var absent: FactorPresence = []
    /// Whether the account was found to have room for more sessions: then none is looked for that
    /// has to end.
    package var hasRoom = false
    /// Given back: what was tried was right.
    package var returned: [LimitClaim] = []
    /// Ends the failures in a row; nil when none were counted.
    package var failuresKey: [UInt8]?
    /// Names the failures in a row, of which there must still be fewer than `FailuresInARow.atMost`
    /// when the session or the second step is stored. Nil where they do not count, as in a known
    /// browser.
    package var limitedBy: [UInt8]?
    package var events: [SecurityEvent] = []
    /// For a browser that had not signed in before.
    package var notice: NewSignInNotice?
    /// Queued besides.
    package var mails: [QueuedMail] = []

    package init(
        account: Account, by proof: FirstFactor, remembered: Bool = false, returnTo: String? = nil,
        isKnown: Bool = false
    ) {
        self.account = account
        self.provedBy = proof
        self.remembered = remembered
        self.returnTo = returnTo
        self.isKnown = isKnown
    }
}

/// An identity that a provider vouched for, as the store notes its use.
package struct IdentityUse: Sendable {
    package let id: String
    /// The provider's name in the settings, which may have changed since the identity was added.
    package let provider: String
    /// A newer one, sealed. Nil keeps the one before.
    package let refreshToken: [UInt8]?
    /// What the provider's answer may be used for once.
    package let once: Once
}

/// The store's part of signing in.
package protocol SignInStore: Sendable {
    /// After a right first step only: how long it takes depends on the account.
    func signInFacts(accountID: AccountID) async throws -> SignInFacts
    /// Starts the session, ends the one it replaces, clears the failures of its key, gives the
    /// failure claims back, notes what was used, keeps the events and a renewed hash: one
    /// transaction. Without `hasRoom` the oldest of too many sessions end. Returns whether a mail
    /// was queued. Throws `Superseded` when the password was changed, the identity removed, the
    /// account closed, one of the `absent` factors added or the limit for the failures of
    /// `limitedBy` reached since they were looked at, and `UsedBefore`.
    @discardableResult
    func loginSucceeded(_ signIn: ProvedSignIn, session: NewSession) async throws -> Bool
}

/// What is read of an account after a right first step.
package struct SignInFacts: Sendable, Equatable {
    /// Whether passkeys are on or not.
    package let secondFactors: FactorPresence
    /// Whether the account may have `Session.roomToSpare` sessions more.
    package let hasRoom: Bool

    package init(secondFactors: FactorPresence, hasRoom: Bool) {
        self.secondFactors = secondFactors
        self.hasRoom = hasRoom
    }
}
