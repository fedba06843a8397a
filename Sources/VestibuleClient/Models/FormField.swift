/// A field of a form, as the pages have them.
public enum FormField: String, Sendable, Hashable, CaseIterable {
    /// What the person wants to be called.
    case name
    /// The email address.
    case email
    /// A password to sign in with, or a new one.
    case password
    /// The new password once more.
    case confirmation
    /// The password as it is now.
    case currentPassword = "current_password"
    /// A code from a mail, from an app, or a recovery code.
    case code
    /// The box by which the terms are accepted.
    case terms
    /// The word that confirms a deletion.
    case deletionWord
}
