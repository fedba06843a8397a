import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import Vestibule

struct HostCheckTests {
    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n", true), ("GET / HTTP/1.1\r\nhost:\r\n\r\n", true),
        ("GET / HTTP/1.1\r\n\r\n", false), ("GET / HTTP/1.1\r\nHost: a.example\r\nHost: a.example\r\n\r\n", false),
        ("GET / HTTP/1.1\r\nhost: a.example\r\nHOST: b.example\r\n\r\n", false),
        ("GET / HTTP/1.0\r\n\r\n", true), ("GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", false),
    ])
    func `a request names one host, or none when it is HTTP 1.0`(request: String, isClear: Bool) throws {
        let channel = EmbeddedChannel(
            handlers: [ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)), HostCheck()]
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
}
