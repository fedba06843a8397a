import FoundationEssentials
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import Essentials
@testable import Serving
@testable import Vestibule

/// What prepared answers do to the connection, with its clock and its socket in our hands.
struct PreparedConnectionTests {
    private let loop = EmbeddedEventLoop()
    private let page = ByteBuffer(string: "GET /mark.svg HTTP/1.1\r\nHost: localhost\r\n\r\n")

    private func answers(_ content: SiteContent? = nil) throws -> PreparedAnswers {
        let settings = try House.settings([:])
        let content = try content ?? House.content(settings)
        return PreparedAnswers(
            pages: content.pages, paths: ["/login": "login"], files: try StaticFiles(House.resources).byTarget,
            headers: SecurityHeaders(settings),
            languages: Languages(locales: ["en"], cookies: SiteCookies(publicURL: settings.publicURL.origin)),
            hosts: KnownHosts(settings))
    }

    /// What is for the routes comes out as the parser makes it, which the guard does not read.
    private func connect(isGuarded: Bool = true) throws -> EmbeddedChannel {
        let gate = PipelineGate(turns: PipelineTurns(loop))
        let connection = ConnectionGuard(headers: [:])
        let responder = PreparedResponder(
            bytes: PreparedBytesOfLoop(try answers()), connection: connection, peer: .unknown, isTrusted: true)
        let parser = ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes))
        let handlers: [any ChannelHandler] =
            [gate, parser, RequestHeadValidator(gate, responder)] + (isGuarded ? [connection] : [])
        let channel = EmbeddedChannel(handlers: handlers, loop: loop)
        try channel.connect(to: .init(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    /// How many answers have been written since; nothing may have come in for the routes.
    private func written(_ channel: EmbeddedChannel) throws -> Int {
        var count = 0
        while let answer = try channel.readOutbound(as: ByteBuffer.self) {
            #expect(String(buffer: answer).hasPrefix("HTTP/1.1 200 OK\r\n"))
            count += 1
        }
        #expect(try channel.readInbound(as: HTTPServerRequestPart.self) == nil)
        return count
    }

    @Test func `a page that is not made yet is left to the routes`() throws {
        let content = try SiteContent(House.resources, settings: House.settings([:]))
        #expect(try areMade(content) == [false, false])
        try content.pages.prepare()
        #expect(try areMade(content) == [true, true])
    }

    @Test func `the start makes the pages of the default language if a template is the operator's`() throws {
        let resources = Resources(places: House.resources.places)
        #expect(try areMade(SiteContent(resources, settings: House.settings([:]))) == [true, false])
    }

    /// Whether the login page is, in the default language and in another.
    private func areMade(_ content: SiteContent) throws -> [Bool] {
        let answers = try answers(content)
        let target = try #require(answers.target("/login"))
        return ["en", "de"].map { answers.body(of: target, locale: $0) != nil }
    }

    @Test func `a client that reads page after page is not cut off, and one that stops is`() throws {
        let channel = try connect()
        for _ in 0..<20 {
            loop.advanceTime(by: .seconds(29))
            try channel.writeInbound(page)
            #expect(try written(channel) == 1)
        }
        loop.advanceTime(by: .seconds(29))
        #expect(channel.isActive)
        loop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test func `what was sent ahead of a prepared answer waits for a turn, and is for the routes`() throws {
        let channel = try connect(isGuarded: false)
        try channel.writeInbound(ByteBuffer(string: String(repeating: String(buffer: page), count: 3)))
        #expect(try written(channel) == 1)
        loop.run()
        #expect(try channel.readOutbound(as: ByteBuffer.self) == nil)
        guard case .head(let head)? = try channel.readInbound(as: HTTPServerRequestPart.self) else {
            Issue.record("nothing for the routes")
            return
        }
        #expect(head.uri == "/mark.svg")
    }

    @Test func `other machines are answered by the routes, which refuse them, unless exposed`() throws {
        for (values, peer, isPrepared) in [
            ([:], "127.0.0.1", true), ([:], "::1", true), ([:], "192.0.2.7", false), ([:], "2001:db8::1", false),
            ([.devExpose: "on"], "192.0.2.7", true),
        ] as [([Setting: String], String, Bool)] {
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let door = HTTPChannel(
                ConnectionSettings(try House.settings(values)), try answers(), logger: logger
            ) { _, _, _ in }
            let channel = EmbeddedChannel(handler: ConnectionGuard(headers: [:]), loop: loop)
            channel.remoteAddress = try SocketAddress(ipAddress: peer, port: 4711)
            let responder = try door.responder(of: channel)
            #expect((responder != nil) == isPrepared, "\(peer)")
        }
    }

    @Test func `a connection without an address is answered like another machine`() throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let settings = ConnectionSettings(try House.settings([.trustedProxies: "127.0.0.1"]))
        let door = HTTPChannel(settings, try answers(), logger: logger) { _, _, _ in }
        #expect(try door.responder(of: EmbeddedChannel(handler: ConnectionGuard(headers: [:]), loop: loop)) == nil)
    }

    @Test func `an answer that is being sent keeps its time`() {
        let bytes = PreparedBytes(CachedResponse(ByteBuffer(string: "body"), headers: [.eTag: "\"x\""]))
        let (one, two) = ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:38 GMT")
        let first = bytes.answer(at: one, headOnly: false, ifNoneMatch: nil)
        let second = bytes.answer(at: two, headOnly: true, ifNoneMatch: nil)
        let third = bytes.answer(at: two, headOnly: true, ifNoneMatch: "\"x\"")
        let rest = "ETag: \"x\"\r\n\r\n"
        #expect(String(buffer: first) == "HTTP/1.1 200 OK\r\nDate: \(one)\r\nContent-Length: 4\r\n\(rest)body")
        #expect(String(buffer: second) == "HTTP/1.1 200 OK\r\nDate: \(two)\r\nContent-Length: 4\r\n\(rest)")
        #expect(String(buffer: third) == "HTTP/1.1 304 Not Modified\r\nDate: \(two)\r\n\(rest)")
    }

    @Test func `the time is that of now`() throws {
        let bytes = PreparedBytesOfLoop(try answers())
        let before = Date.now.timeIntervalSince1970.rounded(.down)
        let head = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: "/mark.svg", headers: ["Host": "localhost"])
        let fields = HeadFields(head.headers)
        let answer = try #require(bytes.answer(to: head, fields, from: .unknown, trustsForwarding: true))
        // A busy machine may take some seconds for it.
        let times = stride(from: before, through: Date.now.timeIntervalSince1970, by: 1).map {
            "\r\nDate: \(MessageDate.dayAndTime(Date(timeIntervalSince1970: $0))) GMT\r\n"
        }
        #expect(times.contains { String(buffer: answer).contains($0) })
    }
}
