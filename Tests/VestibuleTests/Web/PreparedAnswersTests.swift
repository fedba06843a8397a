import Foundation
import Logging
import NIOCore
import TestSupport
import Testing

@testable import Essentials
@testable import Serving
@testable import Vestibule

/// What is the same for everybody, asked for on sockets. A body, even an empty one, is for the
/// routes: the same question with one tells what they answer.
@Suite(.timeLimit(.minutes(15)))
struct PreparedAnswersTests {
    private let empty = "Content-Length: 0\r\n"

    @Test(arguments: ["GET", "HEAD"])
    func `prepared answers are those of the routes, in every header`(method: String) async throws {
        try await withHouse([.publicURL: "https://a.example", .devExpose: "on"]) {
            house in
            let version = try StaticFiles(House.resources).version
            let etag = try #require(await RawAnswer.of("GET /login", with: house).value(of: "etag"))
            let pages = ["/", "/login", "/signup", "/reset", "/terms", "/privacy"]
            let files = ["/css/vestibule.css", "/css/vestibule.css?v=\(version)", "/js/vestibule.js", "/mark.svg"]
            let fields = [
                "", "Accept-Language: de\r\n", "accept-language: de;q=0.5\r\nAccept-Language: en;q=0.4\r\n",
                "Accept-Language: fr\r\n", "If-None-Match: *\r\n",
                "If-None-Match: \"x\"\r\nif-none-match: W/\(etag)\r\n",
                "If-None-Match: \"x\"\r\n", "Host: A.example:81\r\n", "Vestibule-Fetch: 1\r\nRange: bytes=0-9\r\n",
                "X-Forwarded-For: 192.0.2.7\r\n",
            ]
            for target in pages + files {
                let asked = fields.flatMap { ["\(method) \(target)|\($0)", "\(method) \(target)|\($0)\(empty)"] }
                let answers = try await RawAnswer.all(of: asked, with: house)
                for (place, field) in fields.enumerated() {
                    let (prepared, routed) = (answers[2 * place], answers[2 * place + 1])
                    #expect(prepared.isPrepared && !routed.isPrepared, "\(target) \(field)")
                    #expect(prepared.status == routed.status && prepared.fields == routed.fields, "\(target) \(field)")
                    #expect(prepared.body == routed.body, "\(target) \(field)")
                }
            }
        }
    }

    @Test(arguments: [
        "GET /login?x", "GET /login?", "GET /css/vestibule.css?v=old", "GET http://localhost/login", "GET /login/",
        "GET /login|Cookie: a=b\r\n", "GET /login|Transfer-Encoding: chunked\r\n", "GET /nowhere", "OPTIONS /login",
        "GET /login|Connection: close\r\n", "GET /mark.svg|Connection: x, close\r\n",
        "GET /mark.svg HTTP/1.0|Host: localhost\r\n",
        "GET /login HTTP/1.0|Host: localhost\r\nConnection: keep-alive\r\n",
    ])
    func `everything else is for the routes`(request: String) async throws {
        try await withHouse { house in
            let answer = try await RawAnswer.of(request, with: house)
            #expect(!answer.isPrepared && (200..<500).contains(answer.status))
            let kept = request.contains("keep-alive") ? "keep-alive" : nil
            #expect(
                answer.value(of: "connection")
                    == (request.contains("close") || request.contains("1.0|Host: localhost\r\n") && kept == nil
                        ? "close" : kept))
        }
    }

    @Test func `closed sign-up is refused`() async throws {
        try await withHouse([.signup: "closed"]) { house in
            #expect(try await RawAnswer.of("GET /signup", with: house).status == 403)
            let login = try await RawAnswer.of("GET /login", with: house)
            #expect(login.isPrepared)
        }
    }

    @Test func `cookies ask for a page of their own, but not for a file`() async throws {
        try await withHouse { house in
            let cookie = "Cookie: vestibule-language=de\r\n"
            let page = try await RawAnswer.of("GET /login|\(cookie)", with: house)
            #expect(page.value(of: "content-language") == "de" && !page.isPrepared)
            let file = try await RawAnswer.of("GET /mark.svg|\(cookie)", with: house)
            #expect(file.isPrepared)
        }
    }

    @Test func `forwarding headers that are not believed are reported`() async throws {
        try await withHouse([.trustedProxies: "192.0.2.1"]) { house in
            let plain = try await RawAnswer.of("GET /mark.svg", with: house)
            #expect(plain.isPrepared)
            #expect(house.logs.lines(of: "proxy_untrusted").isEmpty)
            for field in ["X-Forwarded-For: 192.0.2.7", "VIA: x"] {
                #expect(try await RawAnswer.of("GET /mark.svg|\(field)\r\n", with: house).isPrepared == false)
            }
            #expect(house.logs.lines(of: "proxy_untrusted").count == 1)
        }
    }

    @Test func `with the debug log each request for a file has its line`() async throws {
        try await withHouse(logLevel: .debug) { house in
            let answer = try await RawAnswer.of("GET /mark.svg", with: house)
            #expect(!answer.isPrepared)
            #expect(house.logs.lines.contains { $0.hasPrefix("debug request") && $0.contains("path=/mark.svg") })
        }
    }

    @Test func `prepared and routed answers come in the order of their requests`() async throws {
        try await withHouse([.limitLogin: "off"]) { house in
            let form = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 8"
            let mixed = [
                "GET /login", "GET /login?x", "GET /mark.svg", "HEAD /signup", "GET /terms|If-None-Match: *\r\n",
                "POST /reset|\(form)\r\n|email=ab", "GET /", "GET /nowhere", "GET /login|Cookie: a=b\r\n",
            ]
            let statuses = [200, 200, 200, 200, 304, 422, 200, 404, 200]
            let one = try await RawAnswer.all(of: mixed, with: house)
            #expect(one.map(\.status) == statuses)
            #expect(one.map(\.isPrepared) == [true, false, true, true, true, false, true, false, false])
            let many = Array(repeating: mixed, count: 30).flatMap { $0 }
            let ahead = try await RawAnswer.all(of: many, ahead: true, with: house)
            #expect(ahead.map(\.status) == Array(repeating: statuses, count: 30).flatMap { $0 })
            #expect(ahead[0].isPrepared && ahead.map(\.body.count).prefix(9) == one.map(\.body.count)[...])
        }
    }

    @Test func `a connection that waits for its next request is closed when the server ends`() async throws {
        let (answered, sign) = AsyncStream<Void>.makeStream()
        let reading = Reading()
        try await withHouse { house in
            let connection = try await RawConnection(house)
            await reading.start {
                try await connection.channel.executeThenClose { inbound, outbound in
                    try await outbound.write(ByteBuffer(string: "GET /login HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                    return try await inbound.reduce(into: "") { text, part in
                        text += String(buffer: part)
                        if text.contains("</html>") { sign.yield() }
                    }
                }
            }
            for await _ in answered { break }
        }
        // Nothing else would close it before the suite's limit of time.
        #expect(try await reading.text.hasPrefix("HTTP/1.1 200 OK"))
    }

    private actor Reading {
        private var task: Task<String, any Error>?

        func start(_ read: @escaping @Sendable () async throws -> String) { task = Task(operation: read) }

        var text: String { get async throws { try await task?.value ?? "" } }
    }
}
