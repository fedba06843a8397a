import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import Essentials
@testable import Serving

struct PipelineGateTests {
    private let loop = EmbeddedEventLoop()

    /// A connection as far as the gate and the parser go.
    private func connect(_ turns: PipelineTurns) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel.parsing(turns, loop)
        try channel.connect(to: .init(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    /// The targets of the requests that have come out since.
    private func heads(_ channel: EmbeddedChannel) throws -> [String] {
        var targets: [String] = []
        while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
            if case .head(let head) = part { targets.append(head.uri) }
        }
        return targets
    }

    private func requests(_ count: Int) -> ByteBuffer {
        ByteBuffer(string: (1...count).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
    }

    private func answer(_ channel: EmbeddedChannel) throws {
        channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
        loop.run()
    }

    @Test func `requests come out one at a time, each when the answer before it has left`() throws {
        let channel = try connect(PipelineTurns(loop))
        try channel.writeInbound(requests(300))
        #expect(try heads(channel) == ["/1"])
        channel.write(HTTPServerResponsePart.end(nil), promise: nil)
        loop.run()
        #expect(try heads(channel) == [], "the answer has not been flushed")
        channel.flush()
        loop.run()
        #expect(try heads(channel) == ["/2"])
        for number in 3...300 {
            try answer(channel)
            #expect(try heads(channel) == ["/\(number)"])
        }
    }

    @Test func `of connections that send ahead a few work at a time, and one that does not is not held up`() throws {
        let turns = PipelineTurns(loop)
        let greedy = try (0..<9).map { _ in try connect(turns) }
        for channel in greedy { try channel.writeInbound(requests(3)) }
        for channel in greedy {
            #expect(try heads(channel) == ["/1"])
            channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
        }
        loop.run()
        let second = try greedy.map { try heads($0) }
        #expect(second == [["/2"], ["/2"]] + Array(repeating: [], count: 7))
        let patient = try connect(turns)
        for _ in 1...2 {
            try patient.writeInbound(requests(1))
            #expect(try heads(patient) == ["/1"])
            try answer(patient)
        }
        // Those that go give their turns to the next ones.
        for channel in greedy.prefix(2) { try channel.close().wait() }
        loop.run()
        let third = try greedy.dropFirst(2).map { try heads($0) }
        #expect(third == [["/2"], ["/2"]] + Array(repeating: [], count: 5))
    }

    @Test func `the end of what a client sends comes behind all that it sent`() throws {
        let channel = try connect(PipelineTurns(loop))
        let ends = Ends()
        try channel.pipeline.syncOperations.addHandler(ends)
        try channel.writeInbound(requests(2))
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(ends.count == 0)
        try answer(channel)
        #expect(try heads(channel) == ["/1", "/2"])
        #expect(ends.count == 1)
    }

    @Test func `the end of what a client sends comes when the answer before it has left`() throws {
        let channel = try connect(PipelineTurns(loop))
        let ends = Ends()
        try channel.pipeline.syncOperations.addHandler(ends)
        try channel.writeInbound(requests(1))
        channel.write(HTTPServerResponsePart.end(nil), promise: nil)
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(ends.count == 0)
        channel.flush()
        loop.run()
        #expect(ends.count == 1)
    }

    private final class Ends: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        private(set) var count = 0

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            count += 1
        }
    }

    @Test(arguments: [
        ("3\r\nabc\r\n0\r\n\r\nX", 13), ("5;a=b\r\nabcde\r\n0\r\nA: b\r\nC: d\r\n\r\nX", 31), ("800000\r\n", 8),
    ])
    func `a body in chunks ends where its trailer does`(body: String, count: Int) {
        var (whole, pieces) = (chunks(), chunks())
        #expect(take(body, &whole) == count)
        let bytes = body.unicodeScalars.reduce(0) { count, byte in
            pieces.isAtEnd && count > 0 ? count : count + (take("\(byte)", &pieces) ?? 0)
        }
        #expect(bytes == count && pieces.isAtEnd == whole.isAtEnd)
    }

    @Test(arguments: ["800001", "ffffffffffffffffffff", "0000000000800001"])
    func `a chunk that is larger than any that is read is found by its first line`(size: String) {
        var framing = chunks()
        #expect(take(size, &framing) == nil)
    }

    /// Behind the head of a request whose body comes in chunks.
    private func chunks() -> RequestFraming {
        var framing = RequestFraming()
        _ = take("POST / HTTP/1.1\r\n\r\n", &framing)
        framing.expect(.chunked)
        return framing
    }

    private func take(_ text: String, _ framing: inout RequestFraming) -> Int? {
        Array(text.utf8).withUnsafeBytes { framing.next($0) }
    }
}

extension EmbeddedChannel {
    /// A connection as far as the gate, the parser and the check of heads go.
    static func parsing(_ turns: PipelineTurns? = nil, _ loop: EmbeddedEventLoop = EmbeddedEventLoop())
        -> EmbeddedChannel
    {
        let gate = PipelineGate(turns: turns ?? PipelineTurns(loop))
        let parser = ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes))
        return EmbeddedChannel(handlers: [gate, parser, RequestHeadValidator(gate)], loop: loop)
    }
}
