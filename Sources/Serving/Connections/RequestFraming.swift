import Essentials
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

    private enum Part {
        /// Bytes of CR LF CR LF that have come.
        case head(matched: Int)
        case body(remaining: Int)
        case chunks(ChunkFraming)
    }

    private var part = Part.head(matched: 0)
    private var isAtHeadEnd = false

    /// The head that ended with the last piece is followed by this.
    mutating func expect(_ body: Body) {
        switch body {
        case .none, .sized(0): part = .head(matched: 0)
        case .sized(let length): part = .body(remaining: length)
        case .chunked: part = isAtHeadEnd ? .chunks(ChunkFraming()) : .head(matched: 0)
        }
    }

    /// How many of the bytes belong to the request that is being read, at least one; nil for an
    /// impossible chunk.
    mutating func next(_ bytes: some Collection<UInt8>) -> Int? {
        switch part {
        case .head(let matched):
            let (count, now) = Self.head(bytes, matched: matched)
            isAtHeadEnd = now == Self.headEnd.count
            part = .head(matched: isAtHeadEnd ? 0 : now)
            return count
        case .body(let remaining):
            let count = min(remaining, bytes.count)
            part = count == remaining ? .head(matched: 0) : .body(remaining: remaining - count)
            return count
        case .chunks(var chunks):
            guard let count = chunks.next(bytes) else { return nil }
            part = chunks.isFinished ? .head(matched: 0) : .chunks(chunks)
            return count
        }
    }

    private static let headEnd: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]

    private static func head(_ bytes: some Collection<UInt8>, matched: Int) -> (count: Int, matched: Int) {
        var (count, matched) = (0, matched)
        for byte in bytes {
            count += 1
            matched = byte == headEnd[matched] ? matched + 1 : byte == headEnd[0] ? 1 : 0
            if matched == headEnd.count { break }
        }
        return (count, matched)
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
