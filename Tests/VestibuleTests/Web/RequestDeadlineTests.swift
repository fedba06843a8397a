import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import Vestibule

struct RequestDeadlineTests {
    private let head = HTTPRequest(method: .post, scheme: "http", authority: "a", path: "/login")

    private func connect() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: RequestDeadline())
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

    @Test func `a complete request may take its time, and the next one starts anew`() throws {
        let channel = try connect()
        try channel.writeInbound(HTTPRequestPart.head(head))
        try channel.writeInbound(HTTPRequestPart.end(nil))
        channel.embeddedEventLoop.advanceTime(by: .seconds(100))
        #expect(channel.isActive)
        try channel.writeOutbound(HTTPResponsePart.head(.init(status: .ok)))
        try channel.writeOutbound(HTTPResponsePart.end(nil))
        channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }
}
