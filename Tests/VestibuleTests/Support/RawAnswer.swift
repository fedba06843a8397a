import NIOCore
import Testing

/// An answer as it came over a socket.
struct RawAnswer {
    let head: [String]
    let body: ArraySlice<UInt8>

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

    /// Sends all at once and reads until the server closes.
    static func all(of requests: [String], with house: House) async throws -> [RawAnswer] {
        let text = requests.map { request in
            let parts = request.split(separator: "|", omittingEmptySubsequences: false)
            let version = parts[0].contains(" HTTP/") ? "" : " HTTP/1.1"
            let fields = parts.count > 1 ? parts[1] : ""
            let host = fields.contains("Host: ") ? "" : "Host: a\r\n"
            let isChunked = fields.contains("chunked")
            return
                "\(parts[0])\(version)\r\n\(host)\(fields)\r\n\(parts.count > 2 ? parts[2] : isChunked ? "0\r\n\r\n" : "")"
        }
        let bytes = try await RawConnection(house).channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: text.joined()))
            outbound.finish()
            return try await inbound.reduce(into: [UInt8]()) { $0 += $1.readableBytesView }
        }
        var rest = bytes[...]
        return try requests.map { try RawAnswer(&rest, isToHead: $0.hasPrefix("HEAD ")) }
    }

    private init(_ bytes: inout ArraySlice<UInt8>, isToHead: Bool) throws {
        let end = try #require(bytes.firstRange(of: Array("\r\n\r\n".utf8)), "an answer is missing")
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n").map(String.init)
        self.head = head
        bytes = bytes[end.upperBound...]
        let length = head.first { $0.lowercased().hasPrefix("content-length: ") }.flatMap { Int($0.dropFirst(16)) }
        body = bytes.prefix(isToHead ? 0 : length ?? 0)
        try #require(body.count == (isToHead ? 0 : length ?? 0), "an answer breaks off")
        bytes = bytes.dropFirst(body.count)
    }
}
