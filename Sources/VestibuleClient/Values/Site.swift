public import Foundation

/// What a server offers to somebody who is not signed in: for the welcome view.
public struct Site: Sendable, Hashable, Codable {
    /// The name on the pages.
    public let name: String
    /// The line under it: the operator's, or one in English.
    public let tagline: String
    /// Whether accounts can be created.
    public let allowsSignUp: Bool
    /// Whether a passkey signs in.
    public let allowsPasskeys: Bool
    /// Whether a new password is to be typed twice.
    public let asksPasswordTwice: Bool
    /// Characters that a new password has at least.
    public let passwordMinLength: Int
    /// The other services to sign in with, in the order of their buttons.
    public let providers: [Provider]
    /// The version of the terms, which changes with them.
    public let termsVersion: String
    /// The page with the terms.
    public let termsURL: URL
    /// The page about privacy.
    public let privacyURL: URL

    /// A service that tells who somebody is.
    public struct Provider: Sendable, Hashable, Codable, Identifiable {
        /// `apple`, or the name in the server's settings.
        public let id: String
        /// What its button calls it.
        public let label: String
        /// Whether its credential signs an app in; else it signs in on the pages only.
        public let isNative: Bool

        private enum CodingKeys: String, CodingKey {
            case id, label, isNative = "native"
        }

        /// A provider for previews and tests.
        public init(id: String, label: String, isNative: Bool = true) {
            (self.id, self.label, self.isNative) = (id, label, isNative)
        }
    }

    private enum CodingKeys: String, CodingKey {
        case name, tagline, passwordMinLength, providers, termsVersion
        case allowsSignUp = "signUp"
        case allowsPasskeys = "passkeys"
        case asksPasswordTwice = "passwordConfirmation"
        case termsURL = "termsUrl"
        case privacyURL = "privacyUrl"
    }

    /// A site for previews and tests.
    public init(  // Parts: those of the answer of the API.
        name: String, tagline: String = "", allowsSignUp: Bool = true, allowsPasskeys: Bool = true,
        asksPasswordTwice: Bool = true, passwordMinLength: Int = 8, providers: [Provider] = [],
        termsVersion: String = "1", termsURL: URL, privacyURL: URL
    ) {
        (self.name, self.tagline, self.providers) = (name, tagline, providers)
        (self.allowsSignUp, self.allowsPasskeys) = (allowsSignUp, allowsPasskeys)
        (self.asksPasswordTwice, self.passwordMinLength) = (asksPasswordTwice, passwordMinLength)
        (self.termsVersion, self.termsURL, self.privacyURL) = (termsVersion, termsURL, privacyURL)
    }
}

/// The server's own estimate of a new password, which decides whether it is taken.
public struct PasswordStrength: Sendable, Hashable, Codable {
    /// From 0, very weak, to 4, strong.
    public let score: Int
    /// The score in words.
    public let label: String
    /// Whether the password would be taken.
    public let isAcceptable: Bool
    /// What to change; nil for a password that would be taken.
    public let hint: String?

    private enum CodingKeys: String, CodingKey {
        case score, label, hint, isAcceptable = "acceptable"
    }

    /// An estimate for previews and tests.
    public init(score: Int, label: String, isAcceptable: Bool, hint: String? = nil) {
        (self.score, self.label, self.isAcceptable, self.hint) = (score, label, isAcceptable, hint)
    }
}
