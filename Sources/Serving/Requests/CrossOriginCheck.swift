package import Essentials
import HTTPTypes
package import Hummingbird

/// Refuses unsafe requests that another site's page made a browser send.
package struct CrossOriginCheck<Context: RequestContext>: RouterMiddleware {
    private let publicURL: Origin
    private let exempt: [String: String]
    private let checkedByRoute: Set<String>
    private let note: @Sendable (Request, Context) -> Void
    private let safe: Set<HTTPRequest.Method> = [.get, .head, .options, .trace]

    /// `exempt` are paths that one other origin may post to, `checkedByRoute` those whose routes
    /// look at the request's origin themselves; `note` hears of what is refused.
    package init(
        publicURL: Origin, exempt: [String: String], checkedByRoute: Set<String> = [],
        note: @escaping @Sendable (Request, Context) -> Void
    ) {
        (self.publicURL, self.exempt, self.checkedByRoute, self.note) = (publicURL, exempt, checkedByRoute, note)
    }

    package func handle(_ request: Request, context: Context, next: Next<Context>) async throws -> Response {
        guard
            safe.contains(request.method) || isExempt(request) || checkedByRoute.contains(request.uri.path)
                || RequestSource(request, publicURL: publicURL) != .elsewhere
        else {
            note(request, context)
            throw HTTPError(.forbidden)
        }
        return try await next(request, context)
    }

    private func isExempt(_ request: Request) -> Bool {
        request.method == .post && exempt[request.uri.path].map { request.headers[.origin] == $0 } ?? false
    }
}

/// Whose page sent a request, as far as the browser says (Fetch Metadata and Origin).
package enum RequestSource {
    /// A page of this site, and the browser says so.
    case ourPage
    /// Nobody's page: typed by the visitor, or not sent by a browser, so that nobody's cookies are
    /// being misused.
    case noPage
    /// A page of another origin.
    case elsewhere

    /// `Sec-Fetch-Site` speaks of the host that the browser asked, which may be another name that
    /// leads here; `Origin` names it.
    package init(_ request: Request, publicURL: Origin) {
        let origin = request.headers[.origin]
        guard origin.map(publicURL.text.isExactly) ?? true else {
            self = .elsewhere
            return
        }
        switch request.headers.said(HTTPFields.secFetchSite) {
        case "same-origin"?: self = .ourPage
        case "none"?: self = .noPage
        case .some: self = .elsewhere
        case nil: self = origin == nil ? .noPage : .ourPage
        }
    }
}
