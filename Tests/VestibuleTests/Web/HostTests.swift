import HTTPTypes
import Logging
import NIOCore
import TestSupport
import Testing

@testable import Essentials
@testable import Serving
@testable import Vestibule

/// Which names of this server are answered.
@Suite(.timeLimit(.minutes(15)))
struct HostTests {
    private static let production: [Setting: String] = [
        .mode: "production", .publicURL: "https://login.example.com", .mailURL: "smtps://mail.example:465",
        .mailFrom: "no-reply@example.com",
        .secretKey: String(repeating: "A", count: 43) + "=",
    ]
    private static let applications = ["VESTIBULE_APP_NOTES_ORIGINS": "https://notes.example.net, https://n.example:81"]
    /// Answered before the framework, by it, and without a session.
    private static let targets = ["/login", "/login?x", "/mark.svg", "/nowhere", "/api/auth/session", "/account"]

    private func statuses(_ lines: [String], of targets: [String], with house: House) async throws -> Set<Int> {
        let requests = lines.flatMap { line in targets.map { "GET \($0)|\(line)" } }
        return Set(try await RawAnswer.all(of: requests, with: house).map(\.status))
    }

    @Test(arguments: [
        "evil.example", "login.example.com.evil.example", "evil-login.example.com", "localhost", "127.0.0.1:8080",
        "[::1]",
        "login.example.com.", "a", "",
    ])
    func `a host that nobody named is refused, whatever is asked for`(host: String) async throws {
        try await withHouse(Self.production, environment: Self.applications) { house in
            let statuses = try await statuses(["Host: \(host)\r\n"], of: Self.targets, with: house)
            #expect(statuses == [421])
            let lines = house.logs.lines(of: "host_unknown")
            #expect(lines.count == Self.targets.count && lines.allSatisfy { $0.contains("host=\(host) ") })
        }
    }

    @Test(arguments: ["login.example.com", "LOGIN.example.COM:8443", "notes.example.net", "n.example", "n.example:81"])
    func `the public host and those of applications are answered, at any port`(host: String) async throws {
        try await withHouse(Self.production, environment: Self.applications) { house in
            let line = "Host: \(host)\r\n"
            let statuses = try await statuses([line], of: Self.targets, with: house)
            #expect(statuses == [200, 303, 401, 404])
            let isPrepared = try await RawAnswer.of("GET /login|\(line)", with: house).isPrepared
            #expect(isPrepared)
            #expect(house.logs.lines(of: "host_unknown").isEmpty)
        }
    }

    @Test(arguments: ["localhost", "LocalHost:1", "127.0.0.1:8080", "127.9.9.9", "[::1]:80"])
    func `in development this machine's own names are known`(host: String) async throws {
        try await withHouse { house in
            let answer = try await RawAnswer.of("GET /login|Host: \(host)\r\n", with: house)
            #expect(answer.status == 200)
        }
    }

    @Test(arguments: ["192.0.2.7", "localhost.evil.example", "app.localhost", "[::2]", "[::ffff:192.0.2.7]"])
    func `in development other names and addresses are not`(host: String) async throws {
        try await withHouse { house in
            let answer = try await RawAnswer.of("GET /login|Host: \(host)\r\n", with: house)
            #expect(answer.status == 421)
        }
    }

    @Test func `a request without a host, and one with a foreign target, are refused`() async throws {
        try await withHouse { house in
            for (request, status) in [
                // No `Host` is added to fields that hold the word.
                ("GET /login HTTP/1.0|X: Host: a\r\n", 421), ("GET /login HTTP/1.0|Host: localhost\r\n", 200),
                ("GET http://evil.example/login|Host: localhost\r\n", 421),
                ("GET http://localhost/login|Host: localhost\r\n", 200),
                ("GET http://localhost/login|Host: evil.example\r\n", 200), ("POST /login|Host: evil.example\r\n", 421),
            ] {
                let answer = try await RawAnswer.of(request, with: house)
                #expect(answer.status == status, "\(request)")
            }
        }
    }

    @Test func `what programs ask for is answered under any host`() async throws {
        try await withHouse(Self.production, environment: Self.applications) { house in
            let targets = ["/healthz", "/readyz", "/.well-known/jwks.json"]
            let statuses = try await statuses(["Host: 127.0.0.1:8080\r\n"], of: targets, with: house)
            #expect(statuses == [200])
            let verdict = try await RawAnswer.of("GET /authz/forward-auth|Host: 127.0.0.1:8080\r\n", with: house)
            #expect(verdict.status == 400)
            let handOver = try await RawAnswer.of("GET /.vestibule/start|Host: evil.example\r\n", with: house)
            #expect(handOver.status >= 400 && handOver.status != 421)
        }
    }

    @Test func `the refusal is a sentence that names the site, for programs a problem`() async throws {
        try await withHouse([.publicURL: "http://localhost:8080/door"]) { house in
            let page = try await RawAnswer.of("GET /door/login|Host: evil.example\r\n", with: house)
            let text = "This server does not answer for that host. Open http://localhost:8080/door/\n"
            #expect(String(decoding: page.body, as: UTF8.self) == text)
            #expect(page.value(of: "content-type") == "text/plain; charset=utf-8")
            #expect(page.value(of: "content-security-policy") != nil && page.value(of: "set-cookie") == nil)
            #expect(page.value(of: "cache-control") == "no-store")
            let call = try await RawAnswer.of("GET /door/api/auth/session|Host: evil.example\r\n", with: house)
            #expect(call.value(of: "content-type") == "application/problem+json" && call.status == 421)
            let (here, outside) = ("GET /door/healthz|Host: a\r\n", "GET /login|Host: a\r\n")
            let both = try await RawAnswer.all(of: [here, outside], with: house)
            #expect(both.map(\.status) == [200, 421])
        }
    }
}
