/// Base32 without padding (RFC 4648 section 6), as authenticator apps read keys.
package enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var (text, held, bits): ([UInt8], UInt32, Int) = ([], 0, 0)
        for byte in bytes {
            (held, bits) = (held << 8 | UInt32(byte), bits + 8)
            while bits >= 5 {
                bits -= 5
                text.append(alphabet[Int(held >> UInt32(bits) & 31)])
            }
            held &= 1 << UInt32(bits) - 1
        }
        if bits > 0 { text.append(alphabet[Int(held << UInt32(5 - bits) & 31)]) }
        return String(decoding: text, as: UTF8.self)
    }
}
