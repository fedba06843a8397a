package import Essentials

/// What one ceremony signs: 32 random bytes, to be used once (WebAuthn section 13.4.3).
package struct WebAuthnChallenge: Sendable, Equatable {
    package static let count = 32

    package let bytes: [UInt8]

    /// Returns nil unless there are 32 bytes.
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
}
