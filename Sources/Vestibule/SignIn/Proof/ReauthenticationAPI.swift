import Essentials
import HTTPTypes
import Hummingbird
import Serving

extension Reauthentication {
    /// For a call of the API: throws `Refusal.proofNeeded` unless the proof is recent or
    /// the body brings the current password. A call may come without a body; one that is sent must
    /// be well formed even where no proof is needed.
    func prove(_ request: Request, _ context: SignedInContext, isNeeded: Bool = true) async throws {
        try await prove(JSONBody.ifSent(request), context, isNeeded: isNeeded)
    }

    func prove(_ body: JSONBody?, _ context: SignedInContext, isNeeded: Bool = true) async throws {
        let typed = try body?.textIfSent("current_password")
        guard isNeeded, !isFresh(context.session) else { return }
        _ = try await check(currentPassword(typed, context), of: context.record, visitor: context.visitor)
    }

    /// The current password that a call brings, to be checked. Throws `Refusal.proofNeeded` when it
    /// brings none, unless the account has none, either.
    func currentPassword(_ typed: String?, _ context: SignedInContext) async throws -> String {
        if let typed { return typed }
        guard try await !store.hasPassword(accountID: context.account.id) else { throw Refusal.proofNeeded }
        return ""
    }
}
