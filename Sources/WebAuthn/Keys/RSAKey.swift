import Crypto
import CryptoExtras

/// RSA keys of other sizes than 2,048 bits, which libfido2 does not take.
enum RSAKey {
    /// How many bytes the modulus of a key has that libfido2 takes.
    static let libfido2Count = 256

    /// The modulus and the exponent of a COSE key (RFC 8230 section 4).
    static func read(_ key: CBORItem) throws(WebAuthnRefusal) -> PasskeyPublicKey {
        guard let modulus = key[-1]?.bytes, let exponent = key[-2]?.bytes,
            (1...PasskeyPublicKey.exponentCount).contains(exponent.count)
        else { throw .malformed }
        let padding = [UInt8](repeating: 0, count: PasskeyPublicKey.exponentCount - exponent.count)
        guard let key = PasskeyPublicKey(algorithm: .rs256, bytes: modulus + padding + exponent) else {
            throw .wrongKey
        }
        return key
    }

    /// Whether libfido2 does not take it.
    static func isOwn(_ key: PasskeyPublicKey) -> Bool {
        key.algorithm == .rs256 && key.bytes.count != libfido2Count + PasskeyPublicKey.exponentCount
    }

    static func isSigned(_ bytes: [UInt8], signature: [UInt8], by key: PasskeyPublicKey) throws(WebAuthnRefusal) -> Bool
    {
        let modulus = key.bytes.dropLast(PasskeyPublicKey.exponentCount)
        let exponent = key.bytes.suffix(PasskeyPublicKey.exponentCount).drop { $0 == 0 }
        guard let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent) else { throw .wrongKey }
        return key.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: bytes),
            padding: .insecurePKCS1v1_5)
    }
}
