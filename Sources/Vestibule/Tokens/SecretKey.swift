package import Crypto
import Foundation

/// The operator's secret key: derives one key a purpose (HKDF, RFC 5869), makes MACs and seals what must rest unread.
package struct SecretKey: Secret, Sendable {
    /// What a derived key is for; no two purposes share a key.
    package enum Purpose: String, Sendable {
        case code, csrf, device, limit, seal
    }

    private let current: SymmetricKey
    private let previous: SymmetricKey?

    package init(current: SymmetricKey, previous: SymmetricKey? = nil) {
        self.current = current
        self.previous = previous
    }

    /// A key from 32 bytes of base64; `nil` for anything else.
    package static func symmetricKey(base64: String) -> SymmetricKey? {
        guard let data = Data(base64Encoded: base64.trimmingCharacters(in: .whitespacesAndNewlines)), data.count == 32
        else { return nil }
        return SymmetricKey(data: data)
    }

    /// HMAC-SHA-256 under the current key, 32 bytes.
    package func mac(_ purpose: Purpose, _ message: [UInt8]) -> [UInt8] {
        [UInt8](HMAC<SHA256>.authenticationCode(for: message, using: derived(current, purpose)))
    }

    /// Every digest that the current and the previous key make of `message`, for looking one up.
    package func macs(_ purpose: Purpose, _ message: [UInt8]) -> [[UInt8]] {
        [current, previous].compactMap { $0 }.map { key in
            [UInt8](HMAC<SHA256>.authenticationCode(for: message, using: derived(key, purpose)))
        }
    }

    /// Whether `mac`, possibly shortened to no less than 16 bytes, was made for `message` under the current or the
    /// previous key; compares in constant time.
    package func verifies(_ mac: [UInt8], _ purpose: Purpose, _ message: [UInt8]) -> Bool {
        guard (16...32).contains(mac.count) else { return false }
        return macs(purpose, message).contains { expected in
            zip(expected, mac).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
        }
    }

    /// Seals with AES-GCM: four bytes of key id, nonce, ciphertext, tag.
    package func seal(_ plaintext: [UInt8]) throws -> [UInt8] {
        let box = try AES.GCM.seal(plaintext, using: derived(current, .seal))
        guard let combined = box.combined else { throw CryptoKitError.incorrectParameterSize }
        return keyID(current) + combined
    }

    /// Opens what the current or the previous key sealed; throws when it was changed or belongs to another key.
    package func open(_ sealed: [UInt8]) throws -> [UInt8] {
        let keys = [current, previous].compactMap { $0 }
        guard let key = keys.first(where: { keyID($0) == Array(sealed.prefix(4)) }) else {
            throw CryptoKitError.authenticationFailure
        }
        return [UInt8](try AES.GCM.open(AES.GCM.SealedBox(combined: sealed.dropFirst(4)), using: derived(key, .seal)))
    }

    private func derived(_ key: SymmetricKey, _ purpose: Purpose) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key, info: Array("vestibule/\(purpose.rawValue)".utf8), outputByteCount: 32
        )
    }

    private func keyID(_ key: SymmetricKey) -> [UInt8] {
        let name = HMAC<SHA256>.authenticationCode(for: Array("vestibule/key-id".utf8), using: key)
        return Array(name.prefix(4))
    }
}
