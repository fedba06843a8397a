import Essentials
import HTTPTypes
import Hummingbird
import Logging
import Serving

/// Refuses, with 421 (RFC 9110 section 15.5.20), requests under a host that is not known. What
/// programs ask for is answered under any.
struct HostCheck: RouterMiddleware {
    let hosts: KnownHosts
    let publicURL: PublicURL
    let audit: Audit

    func handle(_ request: Request, context: AppContext, next: Next<AppContext>) async throws -> Response {
        guard !hosts.areAsked(by: request.head), !Mount.isForPrograms(request.uri.path) else {
            return try await next(request, context)
        }
        audit.write(
            .warning, "host_unknown", from: context.visitor.client.description,
            [
                "request_id": "\(context.visitor.requestID)",
                "host": "\((request.head.authority ?? "").showable(atMost: 200))",
                "hint": "VESTIBULE_PUBLIC_URL names the host that people open, and the proxy passes it on in Host",
            ])
        // In English, as no language of ours is for that host.
        let sentence = "This server does not answer for that host. Open \(publicURL.url())"
        guard !request.isForAPI else { throw HTTPError(.misdirectedRequest, message: sentence) }
        let type = HTTPField(name: .contentType, value: "text/plain; charset=utf-8")
        return PlainAnswer(.misdirectedRequest, [type], text: sentence + "\n").response()
    }
}
