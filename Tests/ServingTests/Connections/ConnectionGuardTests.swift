import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import Essentials
@testable import Serving

struct ConnectionGuardTests {
    private let head = HTTPRequest(method: .post, scheme: "http", authority: "a", path: "/login")
    private let headers: HTTPFields = [.contentSecurityPolicy: "default-src 'none'"]

    private func connect() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: ConnectionGuard(headers: headers))
        try channel.connect(to: .init(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    @Test func `a client that sends nothing is cut off`() throws {
        let channel = try connect()
        channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test func `dribbling does not help`() throws {
        let channel = try connect()
        try channel.writeInbound(HTTPRequestPart.head(head))
        for _ in 0..<30 {
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            if channel.isActive { try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: "x"))) }
        }
        #expect(!channel.isActive)
    }

    @Test func `who sends on and on after the answer is cut off`() throws {
        let channel = try connect()
        try channel.writeInbound(HTTPRequestPart.head(head))
        let part = HTTPRequestPart.body(ByteBuffer(repeating: 0x61, count: 1024 * 1024))
        for _ in 0..<8 { try channel.writeInbound(part) }
        #expect(channel.isActive)
        try channel.writeInbound(part)
        #expect(!channel.isActive)
    }

    @Test func `a request that comes late has thirty seconds of its own`() throws {
        let channel = try connect()
        channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        try channel.writeInbound(HTTPRequestPart.head(head))
        channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test func `what comes behind its answer is not the next request`() throws {
        let channel = try connect()
        try channel.writeInbound(HTTPRequestPart.head(head))
        channel.pipeline.flush()
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: "x")))
        try channel.writeInbound(HTTPRequestPart.end(nil))
        channel.embeddedEventLoop.advanceTime(by: .seconds(28))
        try channel.writeInbound(HTTPRequestPart.head(head))
        channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test func `each answer gives thirty seconds more`() throws {
        let channel = try connect()
        for _ in 0..<5 {
            channel.embeddedEventLoop.advanceTime(by: .seconds(20))
            try channel.writeOutbound(HTTPResponsePart.head(.init(status: .ok)))
            try channel.writeOutbound(HTTPResponsePart.end(nil))
        }
        channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test func `a client that takes its answer slowly is not cut off, one that takes nothing is`() throws {
        let channel = try connect()
        try channel.writeInbound(HTTPRequestPart.head(head))
        channel.pipeline.flush()
        channel.write(ByteBuffer(repeating: 0x61, count: 1024 * 1024), promise: nil)
        channel.embeddedEventLoop.advanceTime(by: .seconds(30))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(30))
        #expect(!channel.isActive)
    }

    @Test func `the answer to what is not HTTP carries the headers`() throws {
        let channel = try connect()
        struct NotHTTP: Error {}
        channel.pipeline.fireErrorCaught(NotHTTP())
        try channel.writeOutbound(HTTPResponsePart.head(.init(status: .badRequest)))
        guard case .head(let answer)? = try channel.readOutbound(as: HTTPResponsePart.self) else {
            Issue.record("no answer")
            return
        }
        #expect(answer.headerFields[.contentSecurityPolicy] == "default-src 'none'")
        #expect(throws: NotHTTP.self) { try channel.throwIfErrorCaught() }
    }
}
