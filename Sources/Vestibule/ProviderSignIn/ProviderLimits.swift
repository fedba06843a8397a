extension RateLimits.Action {
    /// Beginning a sign-in through a provider.
    static let provider = Self("provider", counts: .addresses)
}
