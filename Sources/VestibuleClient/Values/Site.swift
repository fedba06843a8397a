public import Foundation

/// What a server offers to somebody who is not signed in: for the welcome view.
public struct Site: Sendable, Hashable, Codable {
    /// The name on the pages.
    public let name: String
    /// Whether accounts can be created.
    public let signUp: Bool
    /// Whether a passkey signs in.
    public let passkeys: Bool
    /// Whether a new password is to be typed twice.
    public let passwordConfirmation: Bool
    /// Characters that a new password has at least.
    public let passwordMinLength: Int
    /// The other services to sign in with, in the order of their buttons.
    public let providers: [Provider]
    /// The version of the terms, which changes with them.
    public let termsVersion: String
    /// The page with the terms.
    public let termsUrl: URL
    /// The page about privacy.
    public let privacyUrl: URL

    /// A service that tells who somebody is.
    public struct Provider: Sendable, Hashable, Codable, Identifiable {
        /// `apple`, or the name in the server's settings.
        public let id: String
        /// What its button calls it.
        public let label: String

        /// A provider for previews and tests.
        public init(id: String, label: String) {
            (self.id, self.label) = (id, label)
        }
    }

    /// A site for previews and tests.
    public init(
        name: String, signUp: Bool = true, passkeys: Bool = true, passwordConfirmation: Bool = true,
        passwordMinLength: Int = 8, providers: [Provider] = [], termsVersion: String = "1", termsUrl: URL,
        privacyUrl: URL
    ) {
        (self.name, self.signUp, self.passkeys, self.providers) = (name, signUp, passkeys, providers)
        (self.passwordConfirmation, self.passwordMinLength) = (passwordConfirmation, passwordMinLength)
        (self.termsVersion, self.termsUrl, self.privacyUrl) = (termsVersion, termsUrl, privacyUrl)
    }
}

/// The server's own estimate of a new password, which decides whether it is taken.
public struct PasswordStrength: Sendable, Hashable, Codable {
    /// From 0, very weak, to 4, strong.
    public let score: Int
    /// The score in words.
    public let label: String
    /// Whether the password would be taken.
    public let acceptable: Bool
    /// What to change; nil for a password that would be taken.
    public let hint: String?

    /// An estimate for previews and tests.
    public init(score: Int, label: String, acceptable: Bool, hint: String? = nil) {
        (self.score, self.label, self.acceptable, self.hint) = (score, label, acceptable, hint)
    }
}
