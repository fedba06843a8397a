import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import Serving

struct RequestHeadValidatorTests {
    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n", true), ("GET / HTTP/1.1\r\nhost:\r\n\r\n", true),
        ("GET / HTTP/1.1\r\n\r\n", false), ("GET / HTTP/1.1\r\nHost: a.example\r\nHost: a.example\r\n\r\n", false),
        ("GET / HTTP/1.1\r\nhost: a.example\r\nHOST: b.example\r\n\r\n", false),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n0\r\n\r\n", true),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", false),
        ("POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", false),
        ("GET / HTTP/1.1\r\nHost: a\r\nUser-Agent: \(marks(30))\r\n\r\n", true),
        ("GET / HTTP/1.1\r\nHost: a\r\nAccept-Language: \(marks(31))\r\n\r\n", false),
        ("GET / HTTP/1.1\r\nHost: a\r\nCookie: x=\(marks(31))\r\n\r\n", true),
        ("GET /?a=" + String(repeating: "%CC%80", count: 31) + " HTTP/1.1\r\nHost: a\r\n\r\n", false),
        ("GET /?b=%ZZ&a=" + String(repeating: "%CC%80", count: 31) + " HTTP/1.1\r\nHost: a\r\n\r\n", false),
        ("GET /?b=%ZZ&a=%CC%80 HTTP/1.1\r\nHost: a\r\n\r\n", true),
        ("GET / HTTP/1.0\r\n\r\n", true), ("GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", false),
    ])
    func `a head that could be read in two ways, or is costly to read, is refused`(request: String, isClear: Bool)
        throws
    {
        let channel = EmbeddedChannel.parsing()
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

    @Test(arguments: [
        "a b", "a@b", "a/b", "a?b", "a:1:2", "a:99999", "a:x", "a:-1", "[::1", "[::1]x", "[1.2.3.4]", "::1", "a%zz",
        "\u{E9}.example", "a\\b", "a\"b", ":80",
    ])
    func `a host that is none is refused`(host: String) throws {
        #expect(try isClear("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n") == false)
    }

    @Test(arguments: [
        "a:", "a:80", "a.example:65535", "[::1]", "[2001:db8::1]:443", "192.0.2.1", "a%20b", "xn--bcher-kva.example",
    ])
    func `a host is a name or an address, with a port or without`(host: String) throws {
        #expect(try isClear("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n") == true)
        #expect(try isClear("GET http://\(host)/login HTTP/1.1\r\nHost: a\r\n\r\n") == true)
    }

    @Test(arguments: ["http:///", "http://", "http://a@b/", "http://a:1:2/", "ftp://a/", "https://:80/", "HTTP://?"])
    func `a target without a host is refused`(target: String) throws {
        #expect(try isClear("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n") == false)
    }

    @Test func `an empty host is for targets without one`() throws {
        #expect(try isClear("OPTIONS * HTTP/1.1\r\nHost:\r\n\r\n") == true)
        #expect(try isClear("GET http://a/ HTTP/1.1\r\nHost:\r\n\r\n") == false)
        #expect(try isClear("GET hTTps://a.example HTTP/1.1\r\nHost: a\r\n\r\n") == true)
    }

    private func isClear(_ request: String) throws -> Bool {
        let channel = EmbeddedChannel.parsing()
        try channel.connect(to: .init(ipAddress: "127.0.0.1", port: 1)).wait()
        defer { _ = try? channel.finish() }
        do {
            try channel.writeInbound(ByteBuffer(string: request))
        } catch {
            return false
        }
        return try channel.readInbound(as: HTTPServerRequestPart.self) != nil
    }

    /// What a connection sends for a request, whose route writes a head and then five bytes.
    private func sent(_ request: String, _ status: Int, length: String?) throws -> String {
        let channel = EmbeddedChannel.parsing()
        let encoder = HTTPResponseEncoder()
        try channel.pipeline.syncOperations.addHandler(encoder, position: .first)
        try channel.connect(to: .init(ipAddress: "127.0.0.1", port: 1)).wait()
        try channel.writeInbound(ByteBuffer(string: request))
        var head = HTTPResponseHead(version: .http1_1, status: HTTPResponseStatus(statusCode: status))
        if let length { head.headers.add(name: "Content-Length", value: length) }
        channel.write(HTTPServerResponsePart.head(head), promise: nil)
        for part in ["ab", "cde"] {
            channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: part))), promise: nil)
        }
        try channel.writeAndFlush(HTTPServerResponsePart.end(nil)).wait()
        defer { _ = try? channel.finish() }
        var text = ""
        while case .byteBuffer(let bytes)? = try channel.readOutbound(as: IOData.self) { text += String(buffer: bytes) }
        return text
    }

    @Test(arguments: Array(200...207) + Array(300...308) + Array(400...431) + Array(500...511))
    func `no answer to HEAD has a body, whatever its status`(status: Int) throws {
        let request = "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n"
        for length in ["5", nil] {
            let text = try sent(request, status, length: length)
            #expect(text.hasPrefix("HTTP/1.1 \(status) ") && text.hasSuffix("\r\n\r\n"), "\(text)")
            let mayTell = ![204, 304].contains(status)
            #expect(text.lowercased().contains("\r\ncontent-length: 5\r\n") == mayTell, "\(text)")
            #expect(!text.lowercased().contains("transfer-encoding"), "\(text)")
        }
    }

    @Test func `204 and 304 have no body, and others have all of theirs`() throws {
        let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
        for status in [204, 304] { #expect(try sent(request, status, length: nil).hasSuffix("\r\n\r\n")) }
        for status in [200, 404] { #expect(try sent(request, status, length: "5").hasSuffix("\r\n\r\nabcde")) }
        #expect(try sent(request, 200, length: nil).hasSuffix("\r\n\r\n2\r\nab\r\n3\r\ncde\r\n0\r\n\r\n"))
    }

    private static func marks(_ count: Int) -> String { "a" + String(repeating: "\u{316}", count: count) }

    @Test(arguments: [(3, true), (65_536, true), (65_537, false)])
    func `a client that waits for a word sends its body, unless it is too large`(length: Int, isTold: Bool) throws {
        let channel = EmbeddedChannel.parsing()
        try channel.connect(to: .init(ipAddress: "127.0.0.1", port: 1)).wait()
        let request = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: \(length)\r\n\r\n"
        try channel.writeInbound(ByteBuffer(string: request))
        let answer = try channel.readOutbound(as: HTTPServerResponsePart.self)
        #expect(answer == (isTold ? .head(HTTPResponseHead(version: .http1_1, status: .continue)) : nil))
        _ = try? channel.finish()
    }
}
