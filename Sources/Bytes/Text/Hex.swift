/// Bytes as hexadecimal digits: of digests, of quoted-printable and encoded words (`=C3=BC`), of
/// addresses (`%C3%BC`).
package enum Hex {
    /// The digit of a number below 16, in ASCII.
    @inlinable package static func upperDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }

    /// Two lower-case digits for each byte.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// The number one hexadecimal digit stands for.
    @inlinable package static func value(_ digit: UInt8) -> UInt8? {
        // A branch between digits and letters would be predicted wrongly every third time.
        let isLetter = (digit | 0x20) &- UInt8(ascii: "a") < 6
        guard isLetter || digit &- UInt8(ascii: "0") < 10 else { return nil }
        return digit & 0x0F + (isLetter ? 9 : 0)
    }

    /// The byte two hexadecimal digits stand for.
    @inlinable package static func byte(_ digits: some Collection<UInt8>) -> UInt8? {
        guard digits.count == 2, digits.allSatisfy({ value($0) != nil }) else { return nil }
        return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
