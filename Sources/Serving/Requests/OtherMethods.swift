import HTTPTypes
package import Hummingbird

private let knownMethods: [HTTPRequest.Method] = [
    .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect,
]

extension Router {
    /// Answers 405 with `Allow` (RFC 9110 section 15.5.6) to the methods a path does not have; to
    /// be called once, after every route was added.
    package func refuseOtherMethods() {
        let served = Dictionary(grouping: routes) { "\($0.path)" }
        for routes in served.values {
            guard let path = routes.first?.path else { continue }
            let methods = Set(routes.map(\.method))
            let allowed = methods.contains(.get) ? methods.union([.head]) : methods
            let allow = allowed.map(\.rawValue).sorted().joined(separator: ", ")
            for method in knownMethods where !allowed.contains(method) {
                on(path, method: method) { _, _ -> Response in
                    throw HTTPError(.methodNotAllowed, headers: [.allow: allow], message: nil)
                }
            }
        }
    }
}

/// Answers by the routes, wherever they are mounted.
package struct RoutesResponder<Context: RequestContext>: HTTPResponder {
    private let router: RouterResponder<Context>
    private let mount: Mount
    /// As they were added, with the names of their parameters.
    let paths: Set<String>

    package init(_ router: Router<Context>, mount: Mount) {
        paths = Set(router.routes.map { "\($0.path)" })
        self.router = router.buildResponder()
        self.mount = mount
    }

    package func respond(to request: Request, context: Context) async throws -> Response {
        let request = mount.inward(request.withKnownMethod)
        return mount.outward(try await router.respond(to: request, context: context), to: request)
    }
}

extension Request {
    /// The same request, or one with TRACE, which is served nowhere, in place of a method the
    /// router was never told of (PURGE): it would answer 404 as if there were no such path, and so
    /// answers 405 with `Allow`.
    fileprivate var withKnownMethod: Request {
        guard !knownMethods.contains(method) else { return self }
        var head = head
        head.method = .trace
        return Request(head: head, body: body)
    }
}
