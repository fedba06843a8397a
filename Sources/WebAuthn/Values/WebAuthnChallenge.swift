package import Bytes

/// What one ceremony signs: 32 random bytes, to be used once (WebAuthn section 13.4.3).
public struct WebAuthnChallenge: Sendable, Equatable {
    static let count = 32

    /// To be kept until the response comes, and no longer.
    public let bytes: [UInt8]

    /// Returns nil unless there are 32 bytes.
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
}
