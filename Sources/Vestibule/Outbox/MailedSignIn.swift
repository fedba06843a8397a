package import struct FoundationEssentials.Date

/// A sign-in as a mail describes it to the account's owner.
package struct MailedSignIn: Sendable, Codable, Equatable {
    package let at: Date
    /// Browser and system; nil if unknown.
    package let device: String?
    /// The whole IP address: the mail goes to the account's owner only.
    package let address: String
}
