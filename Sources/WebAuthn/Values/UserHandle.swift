package import Bytes

/// What an authenticator knows an account by: 64 random bytes that say nothing about the person
/// (WebAuthn section 14.6.1).
public struct UserHandle: Sendable, Hashable {
    static let count = 64

    /// To be stored with the account.
    public let bytes: [UInt8]

    /// Returns nil unless there are 64 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.count else { return nil }
        self.bytes = bytes
    }

    private init(drawn: [UInt8]) {
        bytes = drawn
    }

    /// From the operating system's generator.
    public static func random() -> Self { random(.system) }

    package static func random(_ randomness: Randomness) -> Self {
        Self(drawn: randomness.bytes(count))
    }

    var base64URL: String { Base64URL.encode(bytes) }
}
