import Essentials
import HTTPTypes
package import Hummingbird

/// The router, and for every path an honest 405 with `Allow` for the methods it does not have.
package final class Routes {
    package typealias Handler = @Sendable (Request, AppContext) async throws -> Response

    private let router: Router<AppContext>
    private var methods: [String: [HTTPRequest.Method]] = [:]
    fileprivate static let known: [HTTPRequest.Method] = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect,
    ]

    init(_ router: Router<AppContext>) {
        self.router = router
    }

    package func get(_ path: String, _ handler: @escaping Handler) {
        on(.get, path, handler)
    }

    package func post(_ path: String, _ handler: @escaping Handler) {
        on(.post, path, handler)
    }

    package func patch(_ path: String, _ handler: @escaping Handler) {
        on(.patch, path, handler)
    }

    package func delete(_ path: String, _ handler: @escaping Handler) {
        on(.delete, path, handler)
    }

    private func on(_ method: HTTPRequest.Method, _ path: String, _ handler: @escaping Handler) {
        methods[path, default: []].append(method)
        router.on(RouterPath(path), method: method, use: handler)
    }

    /// Answers what no feature asked for; to be called once, last.
    func refuseOtherMethods() {
        for (path, served) in methods {
            let allowed = served.contains(.get) ? served + [.head] : served
            let allow = allowed.map(\.rawValue).sorted().joined(separator: ", ")
            for method in Self.known where !allowed.contains(method) {
                router.on(RouterPath(path), method: method) { _, _ -> Response in
                    throw HTTPError(.methodNotAllowed, headers: [.allow: allow], message: nil)
                }
            }
        }
    }
}

/// Answers by the routes.
package struct RoutesResponder: HTTPResponder {
    package typealias Context = AppContext

    let router: RouterResponder<AppContext>

    package func respond(to request: Request, context: AppContext) async throws -> Response {
        try await router.respond(to: request.withKnownMethod, context: context)
    }
}

extension Request {
    /// The same request, or one with TRACE, which is served nowhere, in place of a method the router was never told of
    /// (PURGE): it would answer 404 as if there were no such path, and so answers 405 with `Allow`.
    fileprivate var withKnownMethod: Request {
        guard !Routes.known.contains(method) else { return self }
        var head = head
        head.method = .trace
        return Request(head: head, body: body)
    }
}
