import Essentials
package import Hummingbird

/// Sets the deadline of each request: half the time after which its connection is closed, so that
/// there is still time for the answer.
package struct RequestDeadline<Context: RequestContext>: RouterMiddleware {
    private let patience: Duration

    /// `patience` is how long a client may wait for an answer.
    package init(patience: Duration) {
        self.patience = patience / 2
    }

    package func handle(_ request: Request, context: Context, next: Next<Context>) async throws -> Response {
        try await Deadline.$current.withValue(.now + patience) { try await next(request, context) }
    }
}
