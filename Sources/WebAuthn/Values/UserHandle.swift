package import Essentials

/// What an authenticator knows an account by: 64 random bytes that say nothing about the person
/// (WebAuthn section 14.6.1).
package struct UserHandle: Sendable, Hashable {
    package static let count = 64

    package let bytes: [UInt8]

    /// Returns nil unless there are 64 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.count else { return nil }
        self.bytes = bytes
    }

    private init(drawn: [UInt8]) {
        bytes = drawn
    }

    package static func random(_ randomness: Randomness) -> Self {
        Self(drawn: randomness.bytes(count))
    }

    package var base64URL: String { Base64URL.encode(bytes) }
}
