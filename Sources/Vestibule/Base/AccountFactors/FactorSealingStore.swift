package import Essentials

/// Something of an account's factors that rests sealed.
package struct SealedFactor: Sendable, Equatable {
    /// How many are read and sealed anew at once.
    package static let atOnce = 500

    package let kind: SecondFactor
    package let accountID: AccountID
    /// Begins with the four bytes that name the key.
    package let sealed: [UInt8]

    package init(kind: SecondFactor, accountID: AccountID, sealed: [UInt8]) {
        (self.kind, self.accountID, self.sealed) = (kind, accountID, sealed)
    }
}

/// The same under another key.
package struct ResealedFactor: Sendable {
    package let before: SealedFactor
    package let sealed: [UInt8]
}

/// The store's part of a new secret key.
package protocol FactorSealingStore: Sendable {
    /// Those of a kind that another key sealed than that of the id, by account, after that one: at
    /// most `SealedFactor.atOnce`.
    func sealedFactors(
        _ kind: SecondFactor, notUnder keyID: [UInt8], after accountID: AccountID?
    ) async throws -> [SealedFactor]
    /// Puts each in the place of what it was before, unless that has changed: one transaction.
    func reseal(_ renewed: [ResealedFactor]) async throws
    /// How many of all kinds another key sealed.
    func factorsSealed(notUnder keyID: [UInt8]) async throws -> Int
}
