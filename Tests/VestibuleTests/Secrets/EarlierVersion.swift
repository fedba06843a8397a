import Crypto
import Foundation

/// Sealing as it was before each use had a key of its own.
enum EarlierVersion {
    static func seal(_ plaintext: [UInt8], _ key: SymmetricKey) throws -> [UInt8] {
        let id = HMAC<SHA256>.authenticationCode(for: Array("vestibule/key-id".utf8), using: key).prefix(4)
        let derived = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key, info: Array("vestibule/seal".utf8), outputByteCount: 32)
        guard let combined = try AES.GCM.seal(plaintext, using: derived).combined else {
            throw CryptoKitError.incorrectParameterSize
        }
        return Array(id) + combined
    }
}
