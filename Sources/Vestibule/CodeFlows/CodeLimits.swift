extension RateLimits.Action {
    /// A code that was typed.
    static let verify = Self("verify", counts: .addresses)
    /// A code that is mailed.
    static let mail = Self("mail", counts: .mailboxes)
}
