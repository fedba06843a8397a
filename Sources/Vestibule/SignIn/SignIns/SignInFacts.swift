/// What is read of an account after a right first step.
package struct SignInFacts: Sendable, Equatable {
    /// The app, and passkeys that count as a second factor, whether passkeys are on or not. What
    /// stands in for them, recovery codes, is not among them.
    package let secondFactors: Set<SecondFactor>
    /// Whether the account may have `Session.roomToSpare` sessions more.
    package let hasRoom: Bool

    package init(secondFactors: Set<SecondFactor>, hasRoom: Bool) {
        self.secondFactors = secondFactors
        self.hasRoom = hasRoom
    }
}
