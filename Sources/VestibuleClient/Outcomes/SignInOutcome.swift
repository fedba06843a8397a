/// What a step of signing in or up led to.
public enum SignInOutcome: Sendable, Equatable {
    /// Signed in; the token is kept. Where the site requires a second factor and the account has
    /// none, calls are refused with `secondFactorRequired` until one was added.
    case signedIn(User)
    /// Signed in, but the terms have changed: before `acceptTerms` only `restore`, `signOut`,
    /// `export`, `deleteAccount` and the proof for these two work.
    case termsWanted(User)
    /// A code is on its way by mail, if the address can be used.
    case codeWanted(flow: Secret)
    /// The password was right, and a second factor is needed.
    case secondFactorWanted(SecondStep)
}

/// A sign-in that waits for a second factor: five tries and ten minutes.
public struct SecondStep: Sendable, Hashable {
    /// The handle of the flow.
    public let flow: Secret
    /// What the account has, in the order to offer it.
    public let methods: [SecondFactorMethod]

    /// A step for previews and tests.
    public init(flow: Secret, methods: [SecondFactorMethod]) {
        (self.flow, self.methods) = (flow, methods)
    }
}
