import Essentials
import HTTPTypes
import Hummingbird
import Serving

extension Reauthentication {
    /// For a call of the API: throws `Refusal.proofNeeded` unless the proof is recent or
    /// the body brings the current password. A call may come without a body; one that is sent must
    /// be well formed even where no proof is needed.
    func prove(_ request: Request, _ context: SignedInContext, isNeeded: Bool = true) async throws {
        let body = request.headers[.contentType] == nil ? nil : try await JSONBody(request)
        try await prove(body, context, isNeeded: isNeeded)
    }

    func prove(_ body: JSONBody?, _ context: SignedInContext, isNeeded: Bool = true) async throws {
        let typed = try body?.textIfSent("current_password")
        guard isNeeded, !isFresh(context.session) else { return }
        guard let password = typed else {
            // Nobody is told to give a password there is not.
            throw try await store.hasPassword(accountID: context.account.id) ? Refusal.proofNeeded : .proofMissing
        }
        _ = try await check(password, of: context.record, visitor: context.visitor)
    }
}
