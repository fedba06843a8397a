import struct FoundationEssentials.Date

/// A sign-in as a mail describes it to the account's owner.
struct MailedSignIn: Sendable, Codable, Equatable {
    let at: Date
    /// Browser and system; nil if unknown.
    let device: String?
    /// The whole IP address: the mail goes to the account's owner only.
    let address: String
}
