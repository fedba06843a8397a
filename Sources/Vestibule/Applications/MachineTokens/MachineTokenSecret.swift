package import Essentials

/// The text of a machine token: a prefix that programs which look for leaked secrets can find, and
/// 256 random bits. Only its digest is stored.
package struct MachineTokenSecret: Secret, Sendable {
    package static let prefix = "vestibule_"

    /// What the machine sends.
    package let text: String
    package let digest: TokenDigest

    init(from random: Randomness) {
        self.init(Token(from: random))
    }

    /// A token that came back. Returns nil if it cannot be one that was given out.
    package init?(presented: String) {
        guard let rest = presented.after(Self.prefix), let token = Token(presented: String(rest)) else { return nil }
        self.init(token)
    }

    private init(_ token: Token) {
        text = Self.prefix + token.text
        digest = token.digest
    }
}
