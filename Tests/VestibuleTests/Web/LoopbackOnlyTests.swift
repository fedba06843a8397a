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
    private func status(_ path: String, from peer: String, _ settings: [Setting: String]) async throws -> Int {
        try await withApplication(settings) { application, logger in
            let channel = NIOAsyncTestingChannel()
            channel.remoteAddress = try SocketAddress(ipAddress: peer, port: 4711)
            let request = Request(
                head: HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: path),
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
}
