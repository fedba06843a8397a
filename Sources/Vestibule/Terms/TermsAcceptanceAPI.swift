import Essentials
import Hummingbird
import Serving

/// `POST user/terms`.
struct TermsAcceptanceAPI {
    let acceptance: TermsAcceptance

    func add(to routes: some RouterMethods<AppContext>) {
        routes.post("/api/auth/user/terms", use: submit)
    }

    @Sendable private func submit(_ request: Request, _ context: AppContext) async throws -> Response {
        let record = try context.caller(awaitingTerms: true)
        try await acceptance.accept(JSONBody(request).acceptsTerms(), record, visitor: context.visitor)
        return JSONReply.nothing
    }
}
