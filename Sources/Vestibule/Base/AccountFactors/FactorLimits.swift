extension RateLimits.Action {
    /// A second factor that was tried: only somebody with the right password, or in a session, gets
    /// there, so that no outsider can use it up.
    static let secondFactor = Self("second-factor", counts: .addresses)
    /// A mail that tells of wrong ones at sign-in.
    static let secondFactorMail = Self("second-factor-mail", counts: .addresses)
    /// A mail that tells of wrong ones in a session.
    static let proofMail = Self("proof-mail", counts: .addresses)
}

extension LimitSubject {
    /// Who tried that. Nobody can guess a passkey, so it counts for its network and flow alone.
    func trying(_ attempt: FactorAttempt) -> LimitSubject {
        guard case .passkey = attempt else { return self }
        return LimitSubject(client: client, flow: flow)
    }
}
