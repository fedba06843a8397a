import Essentials
import PasswordHashing

/// What a visitor asks for when signing up, as typed.
struct SignupForm: Sendable {
    var displayName: String
    var email: String
    var password: String
    /// `nil` where nobody was asked to repeat it.
    var passwordConfirmation: String?
    var acceptsTerms: Bool
    var returnTo: String?
    /// "Keep me signed in".
    var remember = false

    var newPassword: NewPassword { NewPassword(password: password, confirmation: passwordConfirmation) }

    /// A form that may stand: every part checked.
    struct Checked: Sendable {
        let displayName: DisplayName
        let email: EmailAddress
        let password: Password
    }

    /// Checks every field, so that the visitor hears of all problems at once; `refused` is what is
    /// wrong with the password.
    func checked(
        _ address: EmailAddress?, _ password: Password, refused: [Refusal]
    ) throws(Refusals) -> Checked {
        var refusals: [Refusal] = []
        var name: DisplayName?
        do { name = try DisplayName(displayName) } catch { refusals.append(error) }
        if address == nil { refusals.append(email.trimmingSpaces.isEmpty ? .emailMissing : .emailInvalid) }
        refusals += refused
        if !acceptsTerms { refusals.append(.termsMissing) }
        guard refusals.isEmpty, let name, let address else { throw Refusals(refusals) }
        return Checked(displayName: name, email: address, password: password)
    }
}
