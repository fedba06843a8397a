/// Cuts bytes that come in pieces into numbered lines, holding no more than a piece and a line.
struct LineSplitter: Sendable {
    /// Longer lines are refused.
    static let maximumBytes = 64 << 10

    /// A line without its end.
    struct Line: Sendable, Equatable {
        /// From 1, empty lines counted.
        let number: Int
        /// `nil` when it was too long to be kept.
        let bytes: [UInt8]?
    }

    private var rest: [UInt8] = []
    private var isTooLong = false
    private var number = 0

    /// The lines that end in this piece.
    mutating func split(_ piece: [UInt8]) -> [Line] {
        var lines: [Line] = []
        var start = piece.startIndex
        while let end = piece[start...].firstIndex(of: UInt8(ascii: "\n")) {
            add(piece[start..<end])
            lines.append(take())
            start = end + 1
        }
        add(piece[start...])
        return lines
    }

    /// The last line, when no end follows it.
    mutating func finish() -> Line? {
        rest.isEmpty && !isTooLong ? nil : take()
    }

    private mutating func add(_ bytes: ArraySlice<UInt8>) {
        isTooLong = isTooLong || rest.count + bytes.count > Self.maximumBytes
        if isTooLong { rest = [] } else { rest += bytes }
    }

    private mutating func take() -> Line {
        defer { (rest, isTooLong) = ([], false) }
        number += 1
        let isMarked = number == 1 && rest.starts(with: [0xEF, 0xBB, 0xBF])
        return Line(number: number, bytes: isTooLong ? nil : isMarked ? Array(rest.dropFirst(3)) : rest)
    }
}
