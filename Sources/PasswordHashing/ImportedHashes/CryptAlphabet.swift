/// The digits of crypt(5): six bits a character.
extension CryptHash {
    static func isCryptText(_ text: Substring, length: ClosedRange<Int>) -> Bool {
        length.contains(text.utf8.count) && text.utf8.allSatisfy { value($0) != nil }
    }

    /// What a digit stands for, in the order `./0-9A-Za-z` of all schemes but bcrypt.
    static func value(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: ".")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "."))
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte - UInt8(ascii: "A")) + 12
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a")) + 38
        default: nil
        }
    }

    /// A number of several digits, the lowest first.
    static func number(_ digits: ArraySlice<Int>) -> Int {
        digits.reversed().reduce(0) { $0 << 6 | $1 }
    }

    /// Whether bcrypt's 16 bytes of salt and 23 of hash leave the bits unset that their last
    /// characters have to spare.
    static func hasNoStrayBits(_ text: Substring) -> Bool {
        let bytes = Array(text.utf8)
        return ".Oeu".utf8.contains(bytes[21]) && ".CGKOSWaeimquy26".utf8.contains(bytes[52])
    }
}
