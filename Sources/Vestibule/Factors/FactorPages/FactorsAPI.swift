import Essentials
import Hummingbird
import Serving

/// `GET factors`: what the account has besides password and providers.
struct FactorsAPI {
    let store: any FactorStore
    let kinds: FactorKinds
    let policy: FactorPolicy

    func add(to routes: some RouterMethods<AppContext>) {
        routes.signedInCalls().get("/api/auth/factors", use: list)
    }

    @Sendable private func list(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let factors = try await store.factors(accountID: context.account.id)
        var answer = kinds.facts(of: factors, inExport: false)
        answer["second_step"] = factors.asksSecondStep(by: policy)
        return try JSONReply.of(answer)
    }
}
