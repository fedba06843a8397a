import HTTPTypes
import Hummingbird
import NIOCore
import NIOEmbedded
import Serving
import Testing

@testable import Serving
@testable import Vestibule

struct LoopbackOnlyTests {
    /// The status that a machine at that address gets from the whole application.
    private func status(
        _ path: String, from peer: String, _ settings: [Setting: String], environment: [String: String] = [:],
        _ headers: HTTPFields = [:]
    ) async throws -> Int {
        try await withApplication(settings, environment: environment) { application, logger in
            let channel = NIOAsyncTestingChannel()
            channel.remoteAddress = try SocketAddress(ipAddress: peer, port: 4711)
            let request = Request(
                head: HTTPRequest(
                    method: .get, scheme: "http", authority: "localhost", path: path, headerFields: headers),
                body: RequestBody(buffer: ByteBuffer()))
            let responder = application.responder
            let context = AppContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
            return try await responder.respond(to: request, context: context).status.code
        }
    }

    @Test(arguments: ["/login", "/login?x", "/css/vestibule.css", "/healthz", "/api/auth/openapi.json"])
    func `development mode refuses other machines unless exposed`(path: String) async throws {
        for peer in ["127.0.0.1", "::1", "::ffff:127.0.0.1"] {
            #expect(try await status(path, from: peer, [:]) == 200, "\(peer)")
        }
        for peer in ["192.0.2.7", "2001:db8::1"] {
            #expect(try await status(path, from: peer, [:]) == 403, "\(peer)")
            #expect(try await status(path, from: peer, [.devExpose: "on"]) == 200, "\(peer)")
        }
    }

    /// Proxies are answered before anything else looks at the request.
    @Test(arguments: [("127.0.0.1", 401), ("192.0.2.7", 403)])
    func `nor does another machine that is a trusted proxy get a verdict`(peer: String, status: Int) async throws {
        let notes = ["VESTIBULE_APP_NOTES_ORIGINS": "https://notes.example.net"]
        let question = [
            "X-Forwarded-Method": "GET", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "notes.example.net",
            "X-Forwarded-Uri": "/",
        ]
        var fields = HTTPFields()
        for (name, value) in question { fields[try #require(HTTPField.Name(name))] = value }
        let answered = try await self.status(
            "/authz/forward-auth", from: peer, [.trustedProxies: "127.0.0.1,192.0.2.7"], environment: notes, fields)
        #expect(answered == status)
    }
}
