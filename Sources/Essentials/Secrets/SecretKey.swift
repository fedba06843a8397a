package import Crypto
import Foundation

/// The operator's secret key: derives one key a purpose (HKDF, RFC 5869), makes MACs and seals what
/// must rest unread.
package struct SecretKey: Secret, Sendable {
    /// What a derived key is for. `csrf` serves form tokens and signed links, `limit` counters and
    /// names of recipients; the message tells them apart.
    package enum Purpose: String, Sendable, CaseIterable {
        case code, csrf, device, limit, nonce, sealMail, sealGrant, sealCookie, sealLink, sealHandOver,
            sealHeldForm, sealSigningKey, sealFactorKey, sealForm, signals, sealOpenID, application
    }

    /// One operator's key: its id and what is derived from it, worked out once.
    private struct Keys: Sendable {
        let id: [UInt8]
        let derived: [Purpose: SymmetricKey]

        init(_ key: SymmetricKey) {
            id = Array(HMAC<SHA256>.authenticationCode(for: Array("vestibule/key-id/2".utf8), using: key).prefix(4))
            derived = Dictionary(
                uniqueKeysWithValues: Purpose.allCases.map { purpose in
                    let info = Array("vestibule/\(purpose.rawValue)".utf8)
                    return (purpose, HKDF<SHA256>.deriveKey(inputKeyMaterial: key, info: info, outputByteCount: 32))
                }
            )
        }
    }

    /// The current key first, then the one before.
    private let all: [Keys]

    package init(current: SymmetricKey, previous: SymmetricKey? = nil) {
        all = [current, previous].compactMap { $0 }.map(Keys.init)
    }

    /// Whether there is a key before this one, which may have sealed something.
    package var hasPrevious: Bool { all.count > 1 }

    /// What everything begins with that the current key seals: four bytes.
    package var currentID: [UInt8] { all.first?.id ?? [] }

    /// The same of the key before. Nil without one.
    package var previousID: [UInt8]? { hasPrevious ? all[1].id : nil }

    /// A key from 32 bytes of base64; `nil` for anything else.
    package static func symmetricKey(base64: String) -> SymmetricKey? {
        guard let data = Data(base64Encoded: base64.trimmingASCIIWhitespace), data.count == 32
        else { return nil }
        return SymmetricKey(data: data)
    }

    /// HMAC-SHA-256 under the current key, 32 bytes.
    package func mac(_ purpose: Purpose, _ message: [UInt8]) -> [UInt8] {
        macs(purpose, message)[0]
    }

    /// Every digest that the current and the previous key make of `message`, for looking one up.
    package func macs(_ purpose: Purpose, _ message: [UInt8]) -> [[UInt8]] {
        all.compactMap { $0.derived[purpose] }.map { [UInt8](HMAC<SHA256>.authenticationCode(for: message, using: $0)) }
    }

    /// Whether `mac`, possibly shortened to no less than 16 bytes, was made for `message` under the
    /// current or the previous key; compares in constant time.
    package func verifies(_ mac: [UInt8], _ purpose: Purpose, _ message: [UInt8]) -> Bool {
        guard (16...32).contains(mac.count) else { return false }
        return macs(purpose, message).contains { expected in
            zip(expected, mac).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
        }
    }

    /// Seals with AES-GCM for one use: four bytes of key id, nonce, ciphertext, tag.
    package func seal(_ plaintext: [UInt8], for use: SealedUse) throws -> [UInt8] {
        guard let keys = all.first, let key = keys.derived[use.purpose],
            let combined = try AES.GCM.seal(plaintext, using: key, authenticating: use.context).combined
        else { throw CryptoKitError.incorrectParameterSize }
        return keys.id + combined
    }

    /// The same under the current key. Nil for what the current key has sealed, and for what
    /// neither key opens.
    package func resealed(_ sealed: [UInt8], for use: SealedUse) -> [UInt8]? {
        guard !sealed.starts(with: currentID), let plaintext = try? open(sealed, for: use) else { return nil }
        return try? seal(plaintext, for: use)
    }

    /// Opens what the current or the previous key sealed for that use; throws when it was changed,
    /// belongs to another key, or was sealed for something else.
    package func open(_ sealed: [UInt8], for use: SealedUse) throws -> [UInt8] {
        let id = Array(sealed.prefix(4))
        guard let key = all.first(where: { $0.id == id })?.derived[use.purpose] else {
            throw CryptoKitError.authenticationFailure
        }
        let box = try AES.GCM.SealedBox(combined: sealed.dropFirst(4))
        return [UInt8](try AES.GCM.open(box, using: key, authenticating: use.context))
    }
}
