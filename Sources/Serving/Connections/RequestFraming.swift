import Essentials
import Glibc
import NIOHTTP1

/// Where the requests of one connection begin and end in its bytes (RFC 9112 sections 2 and 7.1),
/// so that the parser gets one at a time. The parser decides what a request is; a mistake here only
/// hands over more or less at a time.
struct RequestFraming {
    enum Body {
        case none
        case sized(Int)
        case chunked
    }

    private enum Place: Equatable {
        /// A head, or the trailer behind chunks: bytes of CR LF CR LF that have come.
        case fields(matched: Int)
        case body(remaining: Int)
        case chunkSize(Int)
        /// What follows the size on its line.
        case chunkExtension(size: Int)
        case chunk(remaining: Int)
        case chunkEnd

        static let end = Place.fields(matched: 4)
    }

    private var place = Place.end
    /// Whether a head, a body or a trailer ended with the last piece.
    var isAtEnd: Bool { place == .end }

    /// The head that ended with the last piece is followed by this.
    mutating func expect(_ body: Body) {
        switch body {
        case .none, .sized(0): place = .end
        case .sized(let length): place = .body(remaining: length)
        case .chunked: place = isAtEnd ? .chunkSize(0) : .end
        }
    }

    /// How many of the bytes belong to the request that is being read, at least one; nil when a
    /// chunk is larger than any that is read.
    mutating func next(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var count = 0
        while count < bytes.count {
            switch place {
            case .fields(let matched): count = fields(bytes, from: count, matched: matched % 4)
            case .body(let remaining):
                let taken = min(remaining, bytes.count - count)
                place = taken == remaining ? .end : .body(remaining: remaining - taken)
                count += taken
            case .chunk(let remaining):
                let taken = min(remaining, bytes.count - count)
                place = taken == remaining ? .chunkEnd : .chunk(remaining: remaining - taken)
                count += taken
            case .chunkSize, .chunkExtension, .chunkEnd:
                guard chunkLine(bytes[count]) else { return nil }
                count += 1
            }
            if isAtEnd { break }
        }
        return count
    }

    private mutating func fields(_ bytes: UnsafeRawBufferPointer, from start: Int, matched: Int) -> Int {
        var (index, matched) = (start, matched)
        while index < bytes.count, matched < 4 {
            // Most bytes end no line.
            if matched == 0 { index += Self.lengthOfLine(bytes[index...]) }
            guard index < bytes.count else { break }
            let isNext = bytes[index] == (matched % 2 == 0 ? 0x0D : 0x0A)
            matched = isNext ? matched + 1 : bytes[index] == 0x0D ? 1 : 0
            index += 1
        }
        place = .fields(matched: matched)
        return index
    }

    private static func lengthOfLine(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
        let rest = UnsafeRawBufferPointer(rebasing: bytes)
        guard let start = rest.baseAddress, let end = memchr(start, 0x0D, rest.count) else { return rest.count }
        return start.distance(to: UnsafeRawPointer(end))
    }

    /// A byte of the line before a chunk, or of the line end behind it. What may stand there the
    /// parser knows.
    private mutating func chunkLine(_ byte: UInt8) -> Bool {
        let isEnd = byte == UInt8(ascii: "\n")
        switch place {
        case .chunkSize(let size):
            if let digit = Hex.value(byte) {
                place = .chunkSize(size * 16 + Int(digit))
                return size * 16 + Int(digit) <= ConnectionGuard.bodyAtMost
            }
            place = isEnd ? Self.afterLine(size) : .chunkExtension(size: size)
        case .chunkExtension(let size): if isEnd { place = Self.afterLine(size) }
        default: if isEnd { place = .chunkSize(0) }
        }
        return true
    }

    private static func afterLine(_ size: Int) -> Place {
        // The line end may be half of the one that ends the trailer.
        size == 0 ? .fields(matched: 2) : .chunk(remaining: size)
    }
}

extension RequestFraming.Body {
    init(_ headers: HTTPHeaders) {
        if headers.contains(name: "transfer-encoding") {
            self = .chunked
        } else {
            self = headers.first(name: "content-length").flatMap { Int($0) }.map { .sized($0) } ?? .none
        }
    }
}
