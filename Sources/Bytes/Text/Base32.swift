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

    /// The same backwards, as people and systems write it: in either case, with spaces, dashes and
    /// padding. Returns nil if anything else is in it. Bits that fill no byte are dropped.
    package static func decode(_ text: String) -> [UInt8]? {
        let (kept, ignored) = (text.utf8.filter { !" -".utf8.contains($0) }, UInt8(ascii: "="))
        let digits = kept.prefix { $0 != ignored }
        guard kept.dropFirst(digits.count).allSatisfy({ $0 == ignored }) else { return nil }
        var (bytes, held, bits): ([UInt8], UInt32, Int) = ([], 0, 0)
        for digit in digits {
            guard let value = alphabet.firstIndex(of: upper(digit)) else { return nil }
            (held, bits) = (held << 5 | UInt32(value), bits + 5)
            guard bits >= 8 else { continue }
            bits -= 8
            bytes.append(UInt8(truncatingIfNeeded: held >> UInt32(bits)))
            held &= 1 << UInt32(bits) - 1
        }
        return bytes
    }

    private static func upper(_ letter: UInt8) -> UInt8 {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) ? letter - 32 : letter
    }
}
