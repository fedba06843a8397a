/// What is read of an account after a right first step.
package struct SignInFacts: Sendable, Equatable {
    /// What may be asked for as a second step.
    package let secondFactors: Set<SecondFactor>
    /// Whether the account has `Session.mostPerAccount` sessions or more.
    package let hasMostSessions: Bool

    package init(secondFactors: Set<SecondFactor>, hasMostSessions: Bool) {
        self.secondFactors = secondFactors
        self.hasMostSessions = hasMostSessions
    }
}
