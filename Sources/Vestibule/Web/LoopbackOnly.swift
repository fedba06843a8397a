import Essentials
import Hummingbird
import Logging

/// Refuses requests of other machines where development mode is not exposed, whatever the server listens on.
struct LoopbackOnly: RouterMiddleware {
    let isOn: Bool

    func admits(_ peer: IPAddress) -> Bool {
        !isOn || peer.isLoopback
    }

    func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        guard admits(context.peer) else {
            context.logger.warning(
                "development mode answers this machine only",
                metadata: [
                    "event": "authz_fail", "source_ip": "\(context.peer)",
                    "hint": "VESTIBULE_DEV_EXPOSE=on lets others in",
                ])
            throw HTTPError(.forbidden)
        }
        return try await next(request, context)
    }
}
