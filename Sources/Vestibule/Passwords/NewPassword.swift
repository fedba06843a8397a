package import PasswordHashing

/// A new password as typed, twice where the settings ask for that.
package struct NewPassword: Sendable {
    package let password: Password
    /// `nil` where nobody was asked to repeat it.
    let confirmation: String?

    package init(password: String, confirmation: String?) {
        self.password = Password(password)
        self.confirmation = confirmation
    }
}
