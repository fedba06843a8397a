import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Testing

@testable import Serving
@testable import Vestibule

/// Answers to HEAD on one connection: a body behind one would be taken for the next answer.
@Suite(.timeLimit(.minutes(15)))
struct HeadTests {
    private static let environment = [
        "VESTIBULE_APP_NOTES_ORIGINS": "http://localhost:8080", "VESTIBULE_OIDC_ONE_ISSUER": "http://127.0.0.1:1",
        "VESTIBULE_OIDC_ONE_CLIENT_ID": "a", "VESTIBULE_OIDC_ONE_CLIENT_SECRET": "s",
    ]

    /// Every path that is served, and some that are not.
    private func paths() async throws -> [String] {
        let paths = try await withApplication([:], environment: Self.environment) { application, _ in
            Set(application.responder.paths.map(\.description))
        }
        let targets = paths.map { path in
            path.split(separator: "/", omittingEmptySubsequences: false)
                .map { $0.hasPrefix("{") || $0.hasPrefix("*") ? "x" : $0 }.joined(separator: "/")
        }
        return targets.sorted() + [
            "/nowhere", "/login?x", "/mark.svg", "/mark.svg?x", "/.vestibule/mark.svg", "/api/x",
        ]
    }

    @Test(arguments: [false, true])
    func `HEAD of every path has no body, and the next answer is in step`(ahead: Bool) async throws {
        let paths = try await paths()
        #expect(paths.count > 80)
        try await withHouse(environment: Self.environment) { house in
            let cookie = try await house.member("ada@example.com").cookies["vestibule"] ?? ""
            // One to a stranger and to somebody who is signed in, one refused for its host.
            for fields in ["", "Cookie: vestibule=\(cookie)\r\n", "Host: evil.example\r\n"] {
                let requests = paths.flatMap { ["HEAD \($0)|\(fields)", "GET /healthz"] }
                let answers = try await RawAnswer.all(of: requests, ahead: ahead, with: house)
                for (place, path) in paths.enumerated() {
                    let (head, next) = (answers[2 * place], answers[2 * place + 1])
                    #expect(head.body.isEmpty && next.head.first == "HTTP/1.1 200 OK", "\(path)")
                    #expect(next.body == Array("ok\n".utf8), "\(path)")
                }
                let statuses = Set(stride(from: 0, to: answers.count, by: 2).map { answers[$0].status })
                #expect(statuses.isSuperset(of: fields.contains("evil") ? [421] : [200, 303, 404, 405]), "\(statuses)")
            }
        }
    }

    @Test func `HEAD tells the length that GET has`() async throws {
        try await withHouse { house in
            for path in ["/login", "/login?x", "/nowhere", "/logout", "/mark.svg?x", "/api/auth/nope", "/healthz"] {
                let answers = try await RawAnswer.all(of: ["HEAD \(path)", "GET \(path)"], with: house)
                #expect(answers[0].status == answers[1].status && answers[0].body.isEmpty, "\(path)")
                #expect(answers[0].value(of: "content-length") == "\(answers[1].body.count)", "\(path)")
            }
        }
    }
}
