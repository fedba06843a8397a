import Serving

extension Notice {
    static let accountReady = Notice("account_ready", .done)
}

extension Flash {
    /// After a sign-up.
    static func accountReady(_ account: Account) -> Flash {
        Flash(.accountReady, values: ["display_name": account.displayName])
    }
}
