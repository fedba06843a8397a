import Essentials
import Foundation
import Serving

extension PasswordProof {
    /// What `partials/current-password` needs to know: for an account without a password, whether a
    /// provider has to vouch again, which leads back to `returnTo`.
    func values(_ record: SessionRecord, returnTo: String, _ web: Web, _ context: AppContext) async throws -> Values {
        // Without a provider every account has a password.
        guard !needs.providers.all.isEmpty else { return [:] }
        let overview = try await needs.store.accountOverview(
            accountID: record.account.id, events: Activity.shown, now: needs.now())
        guard !overview.hasPassword else { return [:] }
        let names = overview.identities.map(\.provider).filter { needs.providers.named($0) != nil }
        let (mark, query) = (SessionMark(key: needs.secretKey), LinkValues.of(returnTo, web)["return_to_encoded"])
        let ways = Set(names).sorted().map { name -> Values in
            let label = ["label": needs.providers.label(name)]
            let proof = mark.mark(ProviderLink.proving(name), record.session)
            return [
                "url": "/auth/\(name)?prove=\(proof)&return_to=\(query ?? "")",
                "sentence": web.pages.sentence("providers.again", context, label),
            ]
        }
        return ["passwordless": ["stale": !isFresh(record.session), "ways": ways] as Values]
    }
}
