import Hummingbird
import Serving

/// `POST user/terms`.
struct TermsAcceptanceAPI {
    let acceptance: TermsAcceptance

    func add(to routes: some RouterMethods<AppContext>) {
        routes.signedInCalls(termsMayWait: true).post("/api/auth/user/terms") { request, context in
            try await acceptance.accept(JSONBody(request).acceptsTerms(), context.record, visitor: context.visitor)
            return JSONReply.nothing
        }
    }
}
