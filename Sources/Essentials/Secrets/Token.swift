import Crypto

/// A secret handed out in a cookie: 256 random bits as base64url. Only its digest is stored.
package struct Token: Secret, Sendable {
    /// What the cookie carries.
    package let text: String

    package init(from random: Randomness) {
        text = Base64URL.encode(random.bytes(32))
    }

    /// Of 32 bytes that nobody can guess.
    package init(bytes: [UInt8]) {
        text = Base64URL.encode(bytes)
    }

    /// A token that came back. Returns nil if it cannot be one that was given out.
    package init?(presented: String) {
        guard presented.utf8.count == 43, Base64URL.isCanonical(presented) else { return nil }
        text = presented
    }

    package var digest: TokenDigest {
        TokenDigest(of: text)
    }
}

/// SHA-256 of a token: what the store keeps and looks up.
package struct TokenDigest: Sendable, Hashable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Of any text that is looked up like a token.
    package init(of text: String) {
        bytes = [UInt8](SHA256.hash(data: Array(text.utf8)))
    }
}
