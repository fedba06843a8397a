import PasswordHashing

/// A new password as typed, twice where the settings ask for that.
struct NewPassword: Sendable {
    let password: Password
    /// `nil` where nobody was asked to repeat it.
    let confirmation: String?

    init(password: String, confirmation: String?) {
        self.password = Password(password)
        self.confirmation = confirmation
    }
}
