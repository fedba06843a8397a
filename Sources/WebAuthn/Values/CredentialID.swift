import Bytes

/// What an authenticator calls a passkey: 16 to 1,023 bytes (WebAuthn section 4).
public struct CredentialID: Sendable, Hashable {
    static let counts = 16...1_023

    /// As the authenticator made them.
    public let bytes: [UInt8]

    /// Returns nil if it is shorter or longer than allowed.
    public init?(bytes: [UInt8]) {
        guard Self.counts.contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    /// From base64url, as browsers send it. Returns nil for anything else.
    package init?(base64URL text: String) {
        guard let bytes = Base64URL.decode(text) else { return nil }
        self.init(bytes: bytes)
    }

    package var base64URL: String { Base64URL.encode(bytes) }
}
