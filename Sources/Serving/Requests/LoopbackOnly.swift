package import Essentials
package import Hummingbird
import Logging

/// Refuses requests of other machines where development mode is not exposed, whatever the server
/// listens on.
package struct LoopbackOnly: Sendable {
    let isOn: Bool

    package init(isOn: Bool) {
        self.isOn = isOn
    }

    package func admits(_ peer: ClientAddress) -> Bool {
        !isOn || peer.isThisMachine
    }
}

/// Answers requests of other machines with 403, and says why in the log.
package struct LoopbackOnlyMiddleware<Context: PageContext>: RouterMiddleware {
    let rule: LoopbackOnly

    package init(_ rule: LoopbackOnly) {
        self.rule = rule
    }

    package func handle(_ request: Request, context: Context, next: Next<Context>) async throws -> Response {
        guard rule.admits(context.peer) else {
            context.logger.warning(
                "development mode answers this machine only",
                metadata: [
                    "event": "authz_fail", "source_ip": "\(context.peer)",
                    "hint": "VESTIBULE_DEV_EXPOSE=on lets others in",
                ])
            throw HTTPError(.forbidden, message: "In development mode only this machine is answered.")
        }
        return try await next(request, context)
    }
}
