import Essentials
import HTTPTypes
package import Hummingbird

/// For requests that no route takes.
private struct OtherMethods<Context: RequestContext>: RouterMiddleware {
    struct Path: Sendable {
        let parts: [RouterPath.Element]
        let allow: String

        init(_ path: RouterPath, _ methods: Set<HTTPRequest.Method>) {
            let all = methods.contains(.get) ? methods.union([.head]) : methods
            (parts, allow) = (path.components, all.map(\.rawValue).sorted().joined(separator: ", "))
        }

        func matches(_ asked: [Substring]) -> Bool {
            zip(parts, asked).allSatisfy { $0 ~= $1 }
        }
    }

    /// By how many parts they have. No start waits for what few requests need.
    let paths: Lazy<[Int: [Path]]>

    init(_ routes: [(path: RouterPath, method: HTTPRequest.Method)]) {
        paths = Lazy {
            let methods = Dictionary(grouping: routes) { $0.path.description }
            // In this order a name stands before a parameter, as `{` comes after letters. The
            // router looks in the same order.
            let paths = methods.sorted { $0.key < $1.key }.map { _, routes in
                Path(routes[0].path, Set(routes.map(\.method)))
            }
            return Dictionary(grouping: paths, by: \.parts.count)
        }
    }

    func handle(_ request: Request, context: Context, next: Next<Context>) async throws -> Response {
        let asked = request.uri.path.parts(by: "/").filter { !$0.isEmpty }
        guard let path = try paths.value()[asked.count]?.first(where: { $0.matches(asked) }) else {
            return try await next(request, context)
        }
        throw HTTPError(.methodNotAllowed, headers: [.allow: path.allow], message: nil)
    }
}

/// Answers by the routes, wherever they are mounted, and with 405 and `Allow` (RFC 9110 section
/// 15.5.6) to the methods that a path does not have.
package struct RoutesResponder<Context: RequestContext>: HTTPResponder {
    private let router: RouterResponder<Context>
    private let mount: Mount
    /// As they were added, with the names of their parameters.
    let paths: [RouterPath]

    /// Every route must have been added.
    package init(_ router: Router<Context>, mount: Mount) {
        let routes = router.routes
        // What is added after the routes meets only requests that none of them takes.
        router.add(middleware: OtherMethods<Context>(routes.map { ($0.path, $0.method) }))
        paths = routes.map(\.path)
        self.router = router.buildResponder()
        self.mount = mount
    }

    package func respond(to request: Request, context: Context) async throws -> Response {
        let request = mount.inward(request)
        return mount.outward(try await router.respond(to: request, context: context), to: request)
    }
}
