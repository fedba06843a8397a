import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import NIOEmbedded
import ServiceLifecycle
import Testing

@testable import Serving
@testable import Vestibule

/// How a house is spoken to.
enum HouseSetup {
    /// Without sockets.
    case router
    /// As a server.
    case live
}

extension Application<RoutesResponder<AppContext>> {
    func test(_ setup: HouseSetup, _ test: @Sendable (any TestClientProtocol) async throws -> Void) async throws {
        switch setup {
        case .router: try await NearbyApplication(base: self).test(.router, test)
        case .live: try await self.test(TestingSetup.live, test)
        }
    }
}

/// An application that nobody reaches over a network: what asks it is this machine, where a request
/// without a connection would come from nowhere.
private struct NearbyApplication: ApplicationProtocol {
    let base: Application<RoutesResponder<AppContext>>

    var responder: NearbyResponder { NearbyResponder(base: base.responder) }
    var services: [any Service] { base.services }
    var logger: Logger { base.logger }
}

private struct NearbyResponder: HTTPResponder {
    let base: RoutesResponder<AppContext>

    func respond(to request: Request, context: AppContext) async throws -> Response {
        let channel = NIOAsyncTestingChannel()
        channel.remoteAddress = try SocketAddress(ipAddress: "127.0.0.1", port: 4711)
        let source = ApplicationRequestContextSource(channel: channel, logger: context.logger)
        return try await base.respond(to: request, context: AppContext(source: source))
    }
}
