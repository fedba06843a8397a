import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import Vestibule

struct HeadCheckTests {
    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n", true), ("GET / HTTP/1.1\r\nhost:\r\n\r\n", true),
        ("GET / HTTP/1.1\r\n\r\n", false), ("GET / HTTP/1.1\r\nHost: a.example\r\nHost: a.example\r\n\r\n", false),
        ("GET / HTTP/1.1\r\nhost: a.example\r\nHOST: b.example\r\n\r\n", false),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n0\r\n\r\n", true),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", false),
        ("POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", false),
        ("GET / HTTP/1.1\r\nHost: a\r\nUser-Agent: \(marks(30))\r\n\r\n", true),
        ("GET / HTTP/1.1\r\nHost: a\r\nAccept-Language: \(marks(31))\r\n\r\n", false),
        ("GET /?a=" + String(repeating: "%CC%80", count: 31) + " HTTP/1.1\r\nHost: a\r\n\r\n", false),
        ("GET /?b=%ZZ&a=" + String(repeating: "%CC%80", count: 31) + " HTTP/1.1\r\nHost: a\r\n\r\n", false),
        ("GET /?b=%ZZ&a=%CC%80 HTTP/1.1\r\nHost: a\r\n\r\n", true),
        ("GET / HTTP/1.0\r\n\r\n", true), ("GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", false),
    ])
    func `a head that could be read in two ways, or is costly to read, is refused`(request: String, isClear: Bool)
        throws
    {
        let channel = EmbeddedChannel(
            handlers: [ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)), HeadCheck()]
        )
        try channel.connect(to: .init(ipAddress: "127.0.0.1", port: 1)).wait()
        if isClear {
            try channel.writeInbound(ByteBuffer(string: request))
        } else {
            #expect(throws: HTTPParserError.invalidHeaderToken) {
                try channel.writeInbound(ByteBuffer(string: request))
            }
        }
        #expect(try (channel.readInbound(as: HTTPServerRequestPart.self) != nil) == isClear)
        _ = try? channel.finish()
    }

    private static func marks(_ count: Int) -> String { "a" + String(repeating: "\u{316}", count: count) }

    @Test(arguments: [(3, true), (65_536, true), (65_537, false)])
    func `a client that waits for a word sends its body, unless it is too large`(length: Int, isTold: Bool) throws {
        let channel = EmbeddedChannel(
            handlers: [ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)), HeadCheck()]
        )
        try channel.connect(to: .init(ipAddress: "127.0.0.1", port: 1)).wait()
        let request = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: \(length)\r\n\r\n"
        try channel.writeInbound(ByteBuffer(string: request))
        let answer = try channel.readOutbound(as: HTTPServerResponsePart.self)
        #expect(answer == (isTold ? .head(HTTPResponseHead(version: .http1_1, status: .continue)) : nil))
        _ = try? channel.finish()
    }
}
