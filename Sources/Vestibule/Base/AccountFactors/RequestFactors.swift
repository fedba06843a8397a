import Essentials
import Synchronization

/// The factors of the account that a request is about, read from the store once.
final class RequestFactors: Sendable {
    private let accountID: AccountID
    private let known = Mutex<AccountFactors?>(nil)

    init(of accountID: AccountID) {
        self.accountID = accountID
    }

    func read(_ store: any FactorStore) async throws -> AccountFactors {
        if let factors = known.withLock({ $0 }) { return factors }
        let factors = try await store.factors(accountID: accountID)
        known.withLock { $0 = factors }
        return factors
    }
}
