import NIOCore
import Testing

@testable import Essentials

/// An answer as it came over a socket.
struct RawAnswer {
    let head: [String]
    let body: [UInt8]

    /// Prepared answers begin with the time, those of the routes end with it.
    var isPrepared: Bool { head[1].hasPrefix("Date: ") }

    var status: Int { Int(head[0].split(separator: " ")[1]) ?? 0 }

    /// The header lines but for the time, in an order of their own.
    var fields: [String] { head.dropFirst().filter { !$0.hasPrefix("Date: ") }.sorted() }

    func value(of name: String) -> String? {
        head.first { $0.lowercased().hasPrefix("\(name): ") }.map { String($0.dropFirst(name.count + 2)) }
    }

    /// `METHOD TARGET[ VERSION][|FIELDS[|BODY]]`.
    static func of(_ request: String, with house: House) async throws -> RawAnswer {
        try #require(await all(of: [request], with: house).first)
    }

    /// Sends each when the answer before it has come, or all at once and then that it is over.
    static func all(of requests: [String], ahead: Bool = false, with house: House) async throws -> [RawAnswer] {
        try await RawConnection(house).channel.executeThenClose { inbound, outbound in
            var parts = inbound.makeAsyncIterator()
            var (bytes, answers): ([UInt8], [RawAnswer]) = ([], [])
            if ahead {
                try await outbound.write(ByteBuffer(string: requests.map(text).joined()))
                outbound.finish()
            }
            for request in requests {
                if !ahead { try await outbound.write(ByteBuffer(string: text(request))) }
                var answer = RawAnswer(&bytes, isToHead: request.hasPrefix("HEAD "))
                while answer == nil {
                    let part = try #require(await parts.next(), "an answer is missing")
                    bytes += part.readableBytesView
                    answer = RawAnswer(&bytes, isToHead: request.hasPrefix("HEAD "))
                }
                answers += [answer].compactMap { $0 }
            }
            return answers
        }
    }

    private static func text(_ request: String) -> String {
        let parts = request.split(separator: "|", omittingEmptySubsequences: false)
        let version = parts[0].contains(" HTTP/") ? "" : " HTTP/1.1"
        let fields = parts.count > 1 ? parts[1] : ""
        let host = fields.contains("Host: ") ? "" : "Host: localhost\r\n"
        let body = parts.count > 2 ? parts[2] : fields.contains("chunked") ? "0\r\n\r\n" : ""
        return "\(parts[0])\(version)\r\n\(host)\(fields)\r\n\(body)"
    }

    /// Takes the first answer; nil if it has not come whole.
    private init?(_ bytes: inout [UInt8], isToHead: Bool) {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n").map(String.init)
        let length = head.first { $0.lowercased().hasPrefix("content-length: ") }.flatMap { Int($0.dropFirst(16)) }
        let count = isToHead ? 0 : length ?? 0
        guard bytes.count >= end.upperBound + count else { return nil }
        (self.head, body) = (head, Array(bytes[end.upperBound...].prefix(count)))
        bytes.removeFirst(end.upperBound + count)
    }
}
