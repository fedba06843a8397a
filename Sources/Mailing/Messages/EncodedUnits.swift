import Essentials

/// Characters as a mail carries them, in a row: each is a byte that stands for itself, or escapes
/// that no line may divide.
struct EncodedUnits {
    private var bytes: [UInt8] = []
    /// Where each ends in `bytes`.
    private var ends: [Int] = []

    /// `text`, each code point encoded by `encode`.
    init(_ text: some StringProtocol, encode: (Unicode.Scalar, inout EncodedUnits) -> Void) {
        bytes.reserveCapacity(text.utf8.count)
        ends.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars { encode(scalar, &self) }
    }

    var count: Int { ends.count }

    /// The bytes of one unit.
    subscript(unit: Int) -> ArraySlice<UInt8> { self[unit..<unit + 1] }

    /// The bytes of some that stand in a row.
    subscript(units: Range<Int>) -> ArraySlice<UInt8> {
        bytes[start(of: units.lowerBound)..<start(of: units.upperBound)]
    }

    /// A byte that stands for itself.
    mutating func append(_ byte: UInt8) {
        bytes.append(byte)
        ends.append(bytes.count)
    }

    /// One escape for each byte of the character in UTF-8 (`=C3=BC`).
    mutating func append(escaping scalar: Unicode.Scalar) {
        for byte in String(scalar).utf8 {
            bytes += [UInt8(ascii: "="), Hex.upperDigit(byte >> 4), Hex.upperDigit(byte & 15)]
        }
        ends.append(bytes.count)
    }

    /// Puts an escape in the place of the last unit, if it is a space or a tabulator.
    mutating func escapeLastSpace() {
        guard let last = bytes.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") else { return }
        bytes.removeLast()
        ends.removeLast()
        append(escaping: Unicode.Scalar(last))
    }

    private func start(of unit: Int) -> Int { unit == 0 ? 0 : ends[unit - 1] }
}
