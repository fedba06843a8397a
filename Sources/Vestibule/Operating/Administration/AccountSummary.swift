package import Essentials

/// An account as the operator sees it: how a password is kept, if there is one, but neither
/// password nor hash.
package struct AccountSummary: Sendable, Equatable {
    package let account: Account
    /// Such as "argon2id"; `nil` without a password.
    package let passwordScheme: String?

    package init(account: Account, passwordScheme: String?) {
        self.account = account
        self.passwordScheme = passwordScheme
    }
}

/// How an account is named on the command line.
package enum AccountName: Sendable, Equatable {
    case address(EmailAddress)
    case id(AccountID)

    /// Ids hold no `@`. `nil` for what is neither.
    package init?(_ text: String) {
        if text.holds("@") {
            guard let address = EmailAddress(text) else { return nil }
            self = .address(address)
        } else {
            guard !text.isEmpty else { return nil }
            self = .id(AccountID(rawValue: text))
        }
    }
}
