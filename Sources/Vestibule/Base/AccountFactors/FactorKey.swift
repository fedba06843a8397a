import Essentials
package import Foundation

/// What an account's factor of one kind is checked by: the key of an authenticator app, or what
/// recovery codes are digested with.
package struct FactorKey: Sendable, Equatable {
    package let kind: SecondFactor
    /// Begins with the four bytes that name the secret key.
    package let sealed: [UInt8]
    /// Rises with each use: the time step of an app's last code (RFC 6238, section 5.2). Of a kind
    /// whose codes are kept, how many are left.
    package let counter: Int64
    package let createdAt: Date
    package let lastUsedAt: Date?

    package init(_ kind: SecondFactor, sealed: [UInt8], counter: Int64, createdAt: Date, lastUsedAt: Date? = nil) {
        self.kind = kind
        self.sealed = sealed
        self.counter = counter
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
    }

    /// With so many codes left, or fewer, their owner is reminded to make new ones.
    static let low = 2

    /// How many codes are left.
    package var left: Int { Int(counter) }
    var isLow: Bool { left <= Self.low }

    /// Throws `FactorUnreadable` if the keys in force did not seal it for that account.
    func opened(_ key: SecretKey, of accountID: AccountID) throws -> [UInt8] {
        do {
            return try key.open(sealed, for: kind.sealing(accountID))
        } catch {
            throw FactorUnreadable()
        }
    }
}

extension SecondFactor {
    /// For what the store keeps of an account's factor of this kind.
    func sealing(_ accountID: AccountID) -> SealedUse { .factorKey(kind: rawValue, account: accountID.rawValue) }
}
