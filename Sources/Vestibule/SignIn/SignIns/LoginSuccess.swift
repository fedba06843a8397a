package import PasswordHashing

/// Everything a successful login writes.
package struct LoginSuccess: Sendable {
    package let session: NewSession
    /// Ends the failures in a row; nil when none were counted.
    package let failuresKey: [UInt8]?
    package let returned: [LimitClaim]
    /// The hash the password was proved against; `nil` for a sign-in without password.
    package let proved: PasswordHash?
    package let rehash: PasswordHash?
    package let events: [SecurityEvent]
    /// For a browser that had not signed in before.
    package let notice: NewSignInNotice?
    /// Queued besides.
    package let mails: [QueuedMail]
    /// The factor that was right besides the password, or in its place.
    package let use: FactorUse?
    /// Ends the flow of the second step.
    package let secondStep: SecondStepEnd?
    /// Second factors that the account was found to have none of: why none was asked for.
    package let absent: Set<SecondFactor>
    /// Whether the account was found to have room for more sessions: then none is looked for that
    /// has to end.
    package let hasRoom: Bool

    package init(
        session: NewSession, failuresKey: [UInt8]?, returned: [LimitClaim], proved: PasswordHash?,
        rehash: PasswordHash?, events: [SecurityEvent], notice: NewSignInNotice? = nil,
        mails: [QueuedMail] = [], use: FactorUse? = nil,
        secondStep: SecondStepEnd? = nil, absent: Set<SecondFactor> = [], hasRoom: Bool = false
    ) {
        self.hasRoom = hasRoom
        self.absent = absent
        self.notice = notice
        self.proved = proved
        self.session = session
        self.failuresKey = failuresKey
        self.returned = returned
        self.rehash = rehash
        self.events = events
        self.mails = mails
        self.use = use
        self.secondStep = secondStep
    }
}
