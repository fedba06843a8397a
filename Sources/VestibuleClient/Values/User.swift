public import Foundation

/// Who an account belongs to.
public struct User: Sendable, Hashable, Codable, Identifiable {
    /// The account's id, which never changes.
    public let id: String
    /// The email address, its domain in ASCII: `xn--…` where its owner wrote other letters.
    public let email: String
    /// Whether its owner has proved the mailbox.
    public let isEmailVerified: Bool
    /// What the person wants to be called.
    public let name: String
    /// When the account was made.
    public let createdAt: Date

    private enum CodingKeys: String, CodingKey {
        case id, email, name, createdAt, isEmailVerified = "emailVerified"
    }

    /// A person for previews and tests.
    public init(id: String, email: String, isEmailVerified: Bool = true, name: String, createdAt: Date) {
        (self.id, self.email, self.isEmailVerified) = (id, email, isEmailVerified)
        (self.name, self.createdAt) = (name, createdAt)
    }
}
