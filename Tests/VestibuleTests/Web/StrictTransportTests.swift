import Testing

@testable import Vestibule

/// Browsers keep `Strict-Transport-Security` for the host that they asked, and all below it.
@Suite(.timeLimit(.minutes(15)))
struct StrictTransportTests {
    private static let login = "Host: login.example.com\r\n"
    private static let https = "X-Forwarded-Proto: https\r\n"
    private static let notes = "Host: notes.example.net\r\n\(https)"
    /// A proxy's; one with a body is for the routes.
    private static let question =
        "GET /authz/forward-auth|\(login)\(https)X-Forwarded-Method: GET\r\nX-Forwarded-Host: notes.example.net\r\n"
        + "X-Forwarded-Uri: /\r\n"

    private func expect(_ told: String?, of requests: [String], as statuses: Set<Int>) async throws {
        try await withHouse(environment: ProxiedBrowser.environment) { house in
            let answers = try await RawAnswer.all(of: requests, with: house)
            #expect(Set(answers.map(\.status)) == statuses)
            for (request, answer) in zip(requests, answers) {
                #expect(answer.value(of: "strict-transport-security") == told, "\(request)")
            }
        }
    }

    @Test func `pages and files have it`() async throws {
        let paths = ["/login", "/login?x", "/mark.svg", "/nowhere", "/account", "/healthz"]
        try await expect(
            "max-age=63072000; includeSubDomains", of: paths.map { "GET \($0)|\(Self.login)\(Self.https)" },
            as: [200, 303, 404])
    }

    @Test func `what a proxy may pass on under the host of an application does not have it`() async throws {
        let paths = ["start", "session", "nothing", "css/vestibule.css"].map { "GET /.vestibule/\($0)|\(Self.notes)" }
        let verdicts = ["", "Accept: text/html\r\n"].flatMap { accept in
            ["", "Content-Length: 0\r\n"].map { Self.question + accept + $0 }
        }
        let long = "\(Self.question)Cookie: a=\(String(repeating: "x", count: 17_000))\r\n"
        try await expect(nil, of: paths + verdicts + [long], as: [200, 303, 401, 404, 431])
    }
}
