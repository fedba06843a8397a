import Crypto
import Essentials

/// What an authenticator app and this server share: 20 random bytes, as long as SHA-1's result
/// (RFC 4226, section 4, R6).
struct TOTPKey: Secret, Sendable, Equatable {
    static let length = 20

    let bytes: [UInt8]

    init(from random: Randomness) {
        bytes = random.bytes(Self.length)
    }

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// As apps read it.
    var text: String { Base32.encode(bytes) }

    /// As somebody types it: in groups of four.
    var grouped: String {
        let letters = Array(text.utf8)
        return stride(from: 0, to: letters.count, by: 4).map { start in
            String(decoding: letters[start..<min(start + 4, letters.count)], as: UTF8.self)
        }.joined(separator: " ")
    }

    /// The code of a time step (RFC 4226, section 5.3): six ASCII digits.
    func code(step: Int64) -> [UInt8] {
        let counter = (0..<8).map { UInt8(truncatingIfNeeded: step >> (56 - 8 * $0)) }
        let mac = Array(
            HMAC<Insecure.SHA1>.authenticationCode(for: counter, using: SymmetricKey(data: bytes)))
        let offset = Int((mac.last ?? 0) & 15)
        let word = mac[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        return TOTP.places.map { UInt8(ascii: "0") + UInt8(word / $0 % 10) }
    }
}
