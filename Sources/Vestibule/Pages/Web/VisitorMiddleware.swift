import Essentials
import HTTPTypes
import Hummingbird
import Logging
import Serving

/// First in line: who sends this, in which language; a request id; one log line when it is
/// answered.
struct VisitorMiddleware: RouterMiddleware {
    let finder: ClientAddressFinder
    let languages: Languages
    let cookies: SiteCookies
    let logger: Logger
    let audit: Audit
    let forwardingNotice = ForwardingNotice()

    func handle(_ request: Request, context: AppContext, next: Next<AppContext>) async throws -> Response {
        var context = context
        forwardingNotice.look(
            at: request.headers, from: context.peer, isTrusted: finder.isTrusted(context.peer), logger)
        context.visitor = visitor(request, peer: context.peer)
        if context.visitor.client == .unknown { noteUnknownClient(request, context) }
        context.logger[metadataKey: "hb.request.id"] = nil
        context.logger[metadataKey: "request_id"] = "\(context.visitor.requestID)"
        var response = try await next(request, context)
        if isBackground(request) {
            // Paths for programs are left alone: an application's host sets its session's cookie
            // there.
            if !Mount.isForPrograms(request.uri.path) { response.headers[.setCookie] = nil }
        } else if request.method == .get, !request.isForAPI, let picked = languages.picked(request) {
            response.setCookie(cookies.set(.language, picked, maxAge: SiteCookies.languageMaxAge))
            response.headers[.cacheControl] = "no-store"
        }
        context.logger.debug(
            "request",
            metadata: [
                "method": "\(request.method.rawValue)", "path": "\(request.uri.path.showable(atMost: 200))",
                "status": "\(response.status.code)", "source_ip": "\(context.visitor.client)",
            ]
        )
        return response
    }

    /// Whether a page of another origin fetches an image, a frame, a prefetch or the like: nobody
    /// looks at the answer, so it sets no cookie.
    private func isBackground(_ request: Request) -> Bool {
        [.get, .head].contains(request.method) && !request.headers.isNavigation
            && !request.headers.isSameOrigin && !request.headers.isFromNoPage
    }

    private func noteUnknownClient(_ request: Request, _ context: AppContext) {
        audit.write(
            .warning, "client_unknown", from: context.peer.description,
            [
                "request_id": "\(context.visitor.requestID)",
                "told": "\(ClientAddressFinder.hopLines(request.headers).showable(atMost: 200))",
                "hint": "of Forwarded and X-Forwarded-For the proxy sets one and removes the other",
            ])
    }

    private func visitor(_ request: Request, peer: ClientAddress) -> Visitor {
        // Apps keep no cookies: neither a language nor a known browser.
        let hasCookies = !request.isForAPI
        return Visitor(
            client: finder.client(peer: peer, headers: request.headers),
            userAgent: (request.headers[.userAgent] ?? "").showable(atMost: 300),
            locale: hasCookies ? languages.choose(request) : languages.preferred(request),
            requestID: Base64URL.encode(audit.random.bytes(9)),
            device: hasCookies ? cookies.value(.device, in: request).flatMap(DeviceCookie.init(presented:)) : nil
        )
    }
}
