/// The chunks of one body and the trailer behind them.
struct ChunkFraming {
    private enum Place {
        case size(Int)
        /// What follows the size on its line.
        case sizeLine(value: Int)
        case data(remaining: Int)
        /// The line end behind a chunk, or a line of the trailer.
        case lineEnd
        case trailer(lineBytes: Int)
        case finished
    }

    private var place = Place.size(0)
    /// Far more than any body we take.
    static let sizeAtMost = ConnectionGuard.bodyAtMost

    var isFinished: Bool {
        if case .finished = place { true } else { false }
    }

    /// How many of the bytes belong to the body; nil when a chunk is larger than any that is read.
    mutating func next(_ bytes: some Collection<UInt8>) -> Int? {
        var rest = bytes[...]
        while let byte = rest.first, !isFinished {
            if case .data(let remaining) = place {
                let count = min(remaining, rest.count)
                rest = rest.dropFirst(count)
                place = count == remaining ? .lineEnd : .data(remaining: remaining - count)
            } else {
                rest = rest.dropFirst()
                guard read(byte) else { return nil }
            }
        }
        return bytes.count - rest.count
    }

    private mutating func read(_ byte: UInt8) -> Bool {
        let isEnd = byte == UInt8(ascii: "\n")
        switch place {
        case .size(let value):
            if let digit = Self.hexDigit(byte) {
                place = .size(value * 16 + digit)
                return value * 16 + digit <= Self.sizeAtMost
            }
            // What else may stand here the parser knows.
            place = isEnd ? Self.afterSize(value) : .sizeLine(value: value)
        case .sizeLine(let value): if isEnd { place = Self.afterSize(value) }
        case .lineEnd: if isEnd { place = .size(0) }
        case .trailer(let count):
            if isEnd {
                place = count == 0 ? .finished : .trailer(lineBytes: 0)
            } else if byte != UInt8(ascii: "\r") {
                place = .trailer(lineBytes: count + 1)
            }
        case .data, .finished: break
        }
        return true
    }

    private static func afterSize(_ value: Int) -> Place {
        value == 0 ? .trailer(lineBytes: 0) : .data(remaining: value)
    }

    private static func hexDigit(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }
}
