import Essentials
import Hummingbird
import Serving

/// `POST factors/proof`: a second factor once more, and the session's new token.
struct StepUpAPI {
    let stepUp: StepUp
    let challenges: PasskeyChallenges

    func add(to routes: some RouterMethods<AppContext>) {
        // Deletion and download, which need no terms, ask for it.
        routes.signedInCalls(termsMayWait: true).post("/api/auth/factors/proof", use: prove)
    }

    @Sendable private func prove(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await JSONBody(request)
        let proved = try await stepUp.prove(
            try body.attempt(challenges, for: .prove(context.session.id)), of: context.record, context.factors,
            visitor: context.visitor)
        return try JSONReply.renewed(proved.token, context.record)
    }
}

/// Refuses calls of the API that lack a second factor; they are sent again after
/// `POST factors/proof`.
struct StepUpCalls: RouterMiddleware {
    let stepUp: StepUp

    func handle(_ request: Request, context: SignedInContext, next: Next<SignedInContext>) async throws -> Response {
        let isRead = request.method == .get || request.method == .head
        guard !isRead else { return try await next(request, context) }
        let admitted = try await admitted(context)
        return try await answer(try await request.withBody(), admitted, next)
    }

    /// Throws `Refusal.secondProofNeeded`.
    private func admitted(_ context: SignedInContext) async throws -> SignedInContext {
        let missing = try await stepUp.missing(context.record, context.factors, asksFirst: false)
        if case .secondFactor(let factors) = missing {
            throw Refusal.secondProofNeeded(methods: factors.offered.map(\.rawValue))
        }
        return context.with(try await stepUp.lacking(context.record, context.factors))
    }

    /// See `StepUpPages.answer`.
    private func answer(
        _ request: Request, _ context: SignedInContext, _ next: Next<SignedInContext>, isAgain: Bool = false
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch is Superseded {
            guard let current = try await stepUp.sessions.current(context.record.token) else { throw Superseded() }
            guard !isAgain else { throw Refusal.unavailable(retryAfterSeconds: 1) }
            return try await answer(request, try await admitted(context.anew(current)), next, isAgain: true)
        }
    }
}
