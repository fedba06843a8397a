import Foundation
import NIOCore
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// What only a socket can see. A silent connection stays open here: where one should be closed and
/// is not, the answer does not end before the suite's limit of time.
@Suite(.timeLimit(.minutes(15)))
struct ConnectionTests {
    @Test(arguments: [
        "HTTP/1.0\r\nHost: localhost\r\n", "HTTP/1.0\r\nHost: localhost\r\nConnection: x\r\n",
        "HTTP/1.1\r\nHost: localhost\r\nConnection: x, Close\r\n",
        "HTTP/1.1\r\nHost: localhost\r\nConnection: CLOSE\r\n",
        "HTTP/1.1\r\nHost: localhost\r\nConnection: x\r\nConnection: y ,\tclose\r\n",
        "HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n",
    ])
    func `a connection that is not to be kept is closed after the answer`(rest: String) async throws {
        try await withHouse { house in
            for path in ["/login", "/healthz"] {
                let answer = try await RawConnection.exchange("GET \(path) \(rest)\r\n", with: house)
                #expect(
                    answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.lowercased().contains("\r\nconnection: close\r\n")
                )
            }
        }
    }

    @Test func `after CONNECT, behind which nothing is read, the connection is closed`() async throws {
        try await withHouse { house in
            let answer = try await RawConnection.exchange(
                "CONNECT localhost:1 HTTP/1.1\r\nHost: localhost:1\r\n\r\n", with: house)
            #expect(answer.hasPrefix("HTTP/1.1 404") && answer.lowercased().contains("\r\nconnection: close\r\n"))
        }
    }

    @Test(arguments: [
        "HTTP/1.0\r\nConnection: Keep-Alive\r\n", "HTTP/1.1\r\nHost: localhost\r\n",
        "HTTP/1.1\r\nHost: localhost\r\nConnection: closed\r\n",
    ])
    func `a connection that is to be kept carries another request`(rest: String) async throws {
        try await withHouse { house in
            let requests =
                "GET /healthz \(rest)\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            let answer = try await RawConnection.exchange(requests, with: house)
            #expect(answer.components(separatedBy: "HTTP/1.1 200 OK").count == 3)
        }
    }

    @Test(arguments: [
        "Cookie: a=" + String(repeating: "x", count: 16 * 1024) + "\r\n",
        String(repeating: "Cookie: a=b\r\n", count: 100),
    ])
    func `who sends too many cookies is told so`(fields: String) async throws {
        try await withHouse { house in
            let answer = try await RawConnection.exchange(
                "GET /login HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n", with: house)
            #expect(answer.hasPrefix("HTTP/1.1 431 Request Header Fields Too Large\r\n"))
            let told = "This request is too large, mostly because of cookies: delete those of this site, and try again."
            #expect(answer.hasSuffix("\r\n\r\n\(told)\n"))
        }
    }

    @Test(arguments: ["ffffffffffffffff", "7fffffffffffffff", "ffffffffffffffff1", "800001", "zz", "-1", "0x5"])
    func `a chunk that cannot be is refused at once`(size: String) async throws {
        try await withHouse { house in
            let head =
                "POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n3\r\na=b\r\n"
            let answer = try await RawConnection.exchange("\(head)\(size)\r\n", with: house)
            #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        }
    }

    @Test func `a chunk that cannot be, of a body that is refused anyway, gets no second answer`() async throws {
        try await withHouse { house in
            let head =
                "POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n3\r\na=b\r\n"
            let answer = try await RawConnection(house).channel.executeThenClose { inbound, outbound in
                try await outbound.write(ByteBuffer(string: head))
                var (answer, hasSentMore) = ("", false)
                for try await part in inbound {
                    answer += String(buffer: part)
                    guard !hasSentMore, answer.contains("</html>") else { continue }
                    hasSentMore = true
                    try await outbound.write(ByteBuffer(string: "zz\r\n"))
                }
                return answer
            }
            #expect(answer.hasPrefix("HTTP/1.1 415 ") && answer.components(separatedBy: "HTTP/1.1 ").count == 2)
        }
    }

    @Test func `requests sent ahead are answered in order, bodies of every kind among them`() async throws {
        try await withHouse([.limitLogin: "off"]) { house in
            let form = "Host: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            let posts = [
                "GET /terms HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "POST /reset HTTP/1.1\r\n\(form)Content-Length: 6\r\n\r\nemail=\r\n",
                "POST /reset HTTP/1.1\r\n\(form)Transfer-Encoding: chunked\r\n\r\n3;x=y\r\nema\r\n3\r\nil=\r\n0\r\nA: b\r\n\r\n",
                "GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n",
            ]
            let all = String(repeating: posts.joined(), count: 75)
            let answer = try await RawConnection.exchange(all, with: house, closes: true)
            let statuses = answer.matches(of: /HTTP\/1\.1 (\d+)/).map { String($0.output.1) }
            #expect(statuses == Array(repeating: ["200", "422", "422", "404"], count: 75).flatMap { $0 })
        }
    }

    @Test func `clients that send ahead and never read keep nobody waiting, and one answer at most`() async throws {
        try await withHouse { house in
            let ahead = String(
                repeating: "GET /terms?x HTTP/1.1\r\nHost: localhost\r\nCookie: a=b\r\n\r\n", count: 1000)
            let greedy = try await withThrowingTaskGroup(of: RawConnection.self) { group in
                for _ in 0..<20 { group.addTask { try await RawConnection(house, reads: false) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for connection in greedy { try await connection.channel.channel.writeAndFlush(ByteBuffer(string: ahead)) }
            let answer = try await RawConnection.exchange(
                "GET /login HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", with: house)
            #expect(answer.hasPrefix("HTTP/1.1 200 OK"))
            for connection in greedy { try await connection.channel.channel.close() }
        }
    }

    @Test func `a client address has so many connections and no more, and they come back`() async throws {
        // The house has a connection of its own.
        try await withHouse([.connectionsPerClient: "4", .trustedProxies: ""]) { house in
            let open = try await withThrowingTaskGroup(of: RawConnection.self) { group in
                for _ in 0..<3 { group.addTask { try await RawConnection(house) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            // Connections are counted on several threads: the last one may be met before the
            // others, and one of these is refused in its place, for good.
            try await house.until {
                let refused = try? await RawConnection.exchange(request, with: house)
                return (refused ?? "").isEmpty || !house.logs.lines(of: "connections_refused").isEmpty
            }
            #expect(house.logs.lines(of: "connections_refused").count == 1)
            // The one that was refused is closed.
            for connection in open { try? await connection.channel.channel.close() }
            try await house.until {
                let answer = try? await RawConnection.exchange(request, with: house)
                return answer?.hasPrefix("HTTP/1.1 200 OK") ?? false
            }
            #expect(house.logs.lines(of: "connections_refused").count == 1, "one line a minute")
        }
    }

    @Test func `a trusted proxy has as many connections as it likes`() async throws {
        try await withHouse([.connectionsPerClient: "1", .trustedProxies: "127.0.0.1, ::1"]) { house in
            let first = try await RawConnection(house)
            let answer = try await RawConnection.exchange(
                "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", with: house)
            #expect(answer.hasPrefix("HTTP/1.1 200 OK"))
            try await first.channel.channel.close()
        }
    }
}
