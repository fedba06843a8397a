import Crypto
import Essentials
import Foundation

/// A random value that was given to an app; its own MAC proves that, so nothing is kept before it
/// is used.
struct NativeNonce: Sendable {
    static let lifetime: TimeInterval = 600

    let text: String
    let expiresAt: Date

    /// How it may stand in a token: as it is, or as apps for Apple do it, its SHA-256 in hex.
    var forms: [String] {
        let digest = SHA256.hash(data: Array(text.utf8))
        return [text, Hex.text(digest)]
    }
}

/// Gives out nonces, and knows them again.
struct NativeNonces: Sendable {
    let key: SecretKey
    let random: Randomness
    let now: @Sendable () -> Date

    func make() -> NativeNonce {
        let expiresAt = Date(timeIntervalSince1970: (now().timeIntervalSince1970 + NativeNonce.lifetime).rounded())
        let body = "\(random.id()).\(Int(expiresAt.timeIntervalSince1970))"
        let mac = key.mac(.nonce, Array(body.utf8)).prefix(16)
        return NativeNonce(text: "\(body).\(Base64URL.encode(mac))", expiresAt: expiresAt)
    }

    /// Returns nil unless it was given out here and is in time.
    func nonce(_ presented: String) -> NativeNonce? {
        let parts = presented.parts(by: ".").map(String.init)
        guard presented.utf8.count <= 128, parts.count == 3, let seconds = Int(parts[1]),
            let mac = Base64URL.decode(parts[2]), key.verifies(mac, .nonce, Array("\(parts[0]).\(parts[1])".utf8))
        else { return nil }
        let expiresAt = Date(timeIntervalSince1970: TimeInterval(seconds))
        return now() < expiresAt ? NativeNonce(text: presented, expiresAt: expiresAt) : nil
    }
}
