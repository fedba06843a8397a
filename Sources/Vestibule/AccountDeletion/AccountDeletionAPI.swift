import Essentials
import Hummingbird
import Serving

/// `DELETE user`.
struct AccountDeletionAPI {
    let deletion: AccountDeletionRule

    func add(to routes: some RouterMethods<AppContext>) {
        routes.delete("/api/auth/user", use: delete)
    }

    @Sendable private func delete(_ request: Request, _ context: AppContext) async throws -> Response {
        // Somebody who does not accept new terms may leave.
        let record = try context.caller(awaitingTerms: true)
        let password = try await JSONBody(request).currentPassword()
        try await deletion.delete(record, password: password, visitor: context.visitor)
        return JSONReply.nothing
    }
}
