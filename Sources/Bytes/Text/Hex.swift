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
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// The byte two hexadecimal digits stand for.
    @inlinable package static func byte(_ digits: some Collection<UInt8>) -> UInt8? {
        guard digits.count == 2, digits.allSatisfy({ value($0) != nil }) else { return nil }
        return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
