/// What leads into an account, by itself or together with something else. Machine tokens are none:
/// they belong to an application.
package enum WayIn: String, Sendable, CaseIterable {
    case password
    /// An identity at a provider.
    case identity
    /// A passkey that a browser made by itself: it opens the account, and counts for nothing beside
    /// the password.
    case silentPasskey
    /// Whatever is asked for after the password, and the codes that stand in for it.
    case factor
    /// An operator's removal of all factors that waits.
    case factorRemoval
    /// A browser that may leave the second step out.
    case trustedBrowser
    case pendingLogin
    case session
    /// What the session that stays has entered, with its tickets, codes and tokens.
    case application
    case heldForm
    /// A code or a proof by which a new password can be chosen.
    case passwordReset
    /// A change of address that waits for its code.
    case emailChange
    /// A link that takes back a changed address.
    case emailUndo
}

/// What has happened to an account.
package enum WaysInEvent: String, Sendable, CaseIterable {
    /// A new password with a code from the mailbox.
    case passwordReset
    /// A new password by somebody who is signed in.
    case passwordChanged
    /// The owner of a former address took it back.
    case addressTakenBack
    /// The mailbox was proved for the first time, after anybody may have used the account.
    case addressVerified
    /// The operator vouches for the mailbox and for the person who knows the password.
    case vouchedFor
    /// The operator disabled it.
    case disabled
    /// The operator removed all its factors.
    case factorsReset
    /// The reader of the mail about its first factor took that factor back.
    case factorTakenBack
}
