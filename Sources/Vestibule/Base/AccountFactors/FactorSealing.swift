package import Essentials
package import Foundation

/// Seals anew what rests under another secret key than the current one: keys of authenticator apps,
/// and what recovery codes are digested with. After that the previous key is needed no more.
package struct FactorSealing: Sendable {
    private let store: any FactorSealingStore
    private let key: SecretKey

    package init(store: any FactorSealingStore, key: SecretKey) {
        (self.store, self.key) = (store, key)
    }

    /// All of them, some at a time, once every node that serves seals with the current key. What
    /// neither key opens stays as it is.
    package func renew(besides nodes: any NodeStore, now: Date) async throws {
        guard try await nodes.mayReseal(under: key, at: now) else { return }
        for kind in SecondFactor.allCases {
            var last: AccountID?
            while let batch = try await next(kind, after: last) {
                try await store.reseal(batch.compactMap(renewed))
                last = batch.last?.accountID
            }
        }
    }

    /// How many neither key opens, as far as that is known without trying: 0 with a previous key.
    func unreadable() async throws -> Int {
        key.hasPrevious ? 0 : try await left()
    }

    /// How many the current key has not sealed.
    package func left() async throws -> Int {
        try await store.factorsSealed(notUnder: key.currentID)
    }

    /// How many neither key opens; with a previous key each is tried.
    package func lost() async throws -> Int {
        guard key.hasPrevious else { return try await left() }
        var count = 0
        for kind in SecondFactor.allCases {
            var last: AccountID?
            while let batch = try await next(kind, after: last) {
                count += batch.count { renewed($0) == nil }
                last = batch.last?.accountID
            }
        }
        return count
    }

    private func next(_ kind: SecondFactor, after last: AccountID?) async throws -> [SealedFactor]? {
        let batch = try await store.sealedFactors(kind, notUnder: key.currentID, after: last)
        return batch.isEmpty ? nil : batch
    }

    private func renewed(_ factor: SealedFactor) -> ResealedFactor? {
        key.resealed(factor.sealed, for: factor.kind.sealing(factor.accountID))
            .map { ResealedFactor(before: factor, sealed: $0) }
    }
}
