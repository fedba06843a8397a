extension RateLimits.Action {
    /// A code for a new password that was asked for.
    static let reset = Self("reset", counts: .mailboxes)
}
