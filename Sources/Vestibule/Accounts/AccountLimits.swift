extension RateLimits.Action {
    /// A password, or a token of a provider, that was tried.
    static let login = Self("login", counts: .addresses)
    /// An account, or an address for one, that was asked for.
    static let signup = Self("signup", counts: .mailboxes)
}
