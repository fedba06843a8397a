import Crypto
import Foundation
import VestibuleClient

/// The six digits of a key at that time (RFC 6238: SHA-1, 30 s).
func totp(_ key: Secret, at time: Date) throws -> Secret {
    var (bytes, held, bits): ([UInt8], UInt32, Int) = ([], 0, 0)
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
    for digit in key.text.utf8 {
        guard let value = alphabet.firstIndex(of: digit) else { throw Unexpected(key.text) }
        (held, bits) = (held << 5 | UInt32(value), bits + 5)
        guard bits >= 8 else { continue }
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: held >> UInt32(bits)))
    }
    let step = UInt64(time.timeIntervalSince1970 / 30)
    let message = (0..<8).reversed().map { UInt8(truncatingIfNeeded: step >> UInt64(8 * $0)) }
    let mac = Array(HMAC<Insecure.SHA1>.authenticationCode(for: message, using: SymmetricKey(data: bytes)))
    let start = Int(mac[19] & 15)
    let number = mac[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
    return Secret(String(String(1_000_000 + number % 1_000_000).utf8.dropFirst()) ?? "")
}
