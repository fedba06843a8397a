import Crypto
package import Essentials
import Foundation

/// Signs what a webhook is told (Standard Webhooks 1.0): with each key that the receiver may have,
/// so that a key can be replaced.
package struct WebhookSigner: Sendable {
    private enum Keys {
        case ours([Curve25519.Signing.PrivateKey])
        case shared([WebhookSecret])
    }

    private let keys: Keys

    init(_ webhook: Webhook, key: SecretKey) {
        keys = webhook.secrets.isEmpty ? .ours(Self.keys(of: key)) : .shared(webhook.secrets)
    }

    /// The headers that go with the body.
    func headers(id: String, body: String, at now: Date) throws -> [String] {
        let seconds = Int(now.timeIntervalSince1970)
        let signatures = try signatures(Array("\(id).\(seconds).\(body)".utf8))
        return [
            "webhook-id: \(id)", "webhook-timestamp: \(seconds)",
            "webhook-signature: \(signatures.joined(separator: " "))",
        ]
    }

    private func signatures(_ content: [UInt8]) throws -> [String] {
        switch keys {
        case .ours(let keys):
            try keys.map { "v1a,\(try $0.signature(for: content).base64EncodedString())" }
        case .shared(let secrets):
            secrets.map { secret in
                let mac = HMAC<SHA256>.authenticationCode(for: content, using: SymmetricKey(data: secret.bytes))
                return "v1,\(Data(mac).base64EncodedString())"
            }
        }
    }

    /// Public keys as receivers write them, the one that stays first: the second is that of the
    /// secret key before.
    package static func publicKeys(of key: SecretKey) -> [String] {
        keys(of: key).map { "whpk_\($0.publicKey.rawRepresentation.base64EncodedString())" }
    }

    /// Derived from the secret key, so that none has to be kept.
    private static func keys(of key: SecretKey) -> [Curve25519.Signing.PrivateKey] {
        key.macs(.signals, Array("ed25519".utf8)).compactMap {
            try? Curve25519.Signing.PrivateKey(rawRepresentation: $0)
        }
    }
}
