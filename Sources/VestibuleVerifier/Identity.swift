public import Foundation

/// Who sent a request: a person who has signed in, or a machine with a token.
public struct Identity: Sendable, Hashable {
    /// Id of the account, which never changes; `token:ID` of a machine.
    public let id: String
    /// Nil for a machine.
    public let person: Person?
    /// Names of all groups that the person is in; empty for a machine.
    public let groups: [String]
    /// How the sender proved who it is (RFC 8176): `pwd`, `fed`, `pop`, `otp`, `mfa`, `token`.
    public let methods: [String]
    /// When the assertion ends, within a minute: a connection that lasts longer asks again.
    public let expiresAt: Date

    /// An identity as a test of an application needs it.
    public init(id: String, person: Person?, groups: [String], methods: [String], expiresAt: Date) {
        (self.id, self.person, self.groups) = (id, person, groups)
        (self.methods, self.expiresAt) = (methods, expiresAt)
    }

    /// What is known of a person.
    public struct Person: Sendable, Hashable {
        /// As the person typed it: escape it.
        public let name: String
        /// As the person typed it. It may change, and go to another person: know people by `id`.
        public let email: String
        /// Whether the person has shown that the mailbox is theirs.
        public let isEmailVerified: Bool
        /// Id of the session at the sign-in.
        public let sessionID: String
        /// When the person last proved who they are.
        public let provedAt: Date

        /// A person as a test of an application needs it.
        public init(name: String, email: String, isEmailVerified: Bool, sessionID: String, provedAt: Date) {
            (self.name, self.email, self.isEmailVerified) = (name, email, isEmailVerified)
            (self.sessionID, self.provedAt) = (sessionID, provedAt)
        }
    }
}
