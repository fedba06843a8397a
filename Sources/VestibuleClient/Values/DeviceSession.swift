public import Foundation

/// A browser or app that is signed in to the account.
public struct DeviceSession: Sendable, Hashable, Codable, Identifiable {
    /// Names the session, for `endSession`; opens nothing.
    public let id: String
    /// The name of the app or browser, where it gives one.
    public let device: String?
    /// The IP address it was last used from, where that is known.
    public let address: String?
    /// When it signed in.
    public let createdAt: Date
    /// When it was last used.
    public let lastSeenAt: Date
    /// When it ends, even if it is used.
    public let expiresAt: Date
    /// Whether it is this app's own.
    public let isCurrent: Bool

    private enum CodingKeys: String, CodingKey {
        case id, device, address, createdAt, lastSeenAt, expiresAt, isCurrent = "current"
    }

    /// A session for previews and tests.
    public init(
        id: String, device: String?, address: String?, createdAt: Date, lastSeenAt: Date, expiresAt: Date,
        isCurrent: Bool
    ) {
        (self.id, self.device, self.address, self.isCurrent) = (id, device, address, isCurrent)
        (self.createdAt, self.lastSeenAt, self.expiresAt) = (createdAt, lastSeenAt, expiresAt)
    }
}
