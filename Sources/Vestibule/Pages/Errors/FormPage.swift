import Hummingbird
import Serving

/// A page with a form. A refusal shows it again at the same URL, with what was typed and what is
/// wrong with it.
struct FormPage: Sendable {
    let web: Web
    let template: String
    /// Ids of the inputs, by field.
    let ids: [String: String]
    /// The input that a refusal without a field points to.
    let otherwise: String

    /// What `action` answers; when it throws a refusal, the page again with `values`.
    func answer(
        _ request: Request, _ context: some VisitorContext, _ action: () async throws -> Response,
        again values: (RefusedForm) async throws -> Values
    ) async throws -> Response {
        do {
            return try await action()
        } catch {
            return try await again(error, request, context, values)
        }
    }

    /// The page again; throws errors that are not refusals.
    func again(
        _ error: any Error, _ request: Request, _ context: some VisitorContext,
        _ values: (RefusedForm) async throws -> Values
    ) async throws -> Response {
        let refused = RefusedForm(error, ids: ids, otherwise: otherwise, web, request, context)
        guard let refused else { throw error }
        return try refused.page(template, try await values(refused), context)
    }
}
