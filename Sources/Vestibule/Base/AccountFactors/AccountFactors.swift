package import Foundation

/// What an account has besides a password and providers.
package struct AccountFactors: Sendable, Equatable {
    /// Oldest first.
    package let passkeys: [Passkey]
    package let totp: TOTPFactor?
    package let recoveryCodes: RecoveryCodeCount?
    /// By which authenticators know the account: 64 bytes. Nil before the first passkey.
    package let userHandle: [UInt8]?
    /// When an operator's removal of all factors takes effect.
    package let removalDueAt: Date?

    package init(
        passkeys: [Passkey] = [], totp: TOTPFactor? = nil, recoveryCodes: RecoveryCodeCount? = nil,
        userHandle: [UInt8]? = nil, removalDueAt: Date? = nil
    ) {
        self.passkeys = passkeys
        self.totp = totp
        self.recoveryCodes = recoveryCodes
        self.userHandle = userHandle
        self.removalDueAt = removalDueAt
    }

    /// Those that the settings let count: without passkeys where these are off.
    func counted(passkeys isOn: Bool) -> AccountFactors {
        isOn
            ? self
            : AccountFactors(
                totp: totp, recoveryCodes: recoveryCodes, userHandle: userHandle, removalDueAt: removalDueAt)
    }

    /// Whether a password or a provider alone does not open the account.
    package var asksSecondStep: Bool { totp != nil || passkeys.contains(where: \.isSecondFactor) }

    /// What is asked for before the others. Nil if no second step is.
    var strongest: SecondFactor? { offered.first }

    /// What can be the second step, the strongest first; empty if none is asked.
    package var offered: [SecondFactor] {
        guard asksSecondStep else { return [] }
        let codes = (recoveryCodes?.left ?? 0) > 0
        return (passkeys.isEmpty ? [] : [.passkey]) + (totp == nil ? [] : [.totp]) + (codes ? [.recoveryCode] : [])
    }
}

/// An authenticator app that was confirmed.
package struct TOTPFactor: Sendable, Equatable {
    /// The key, sealed.
    package let sealed: [UInt8]
    /// The time step of the code that was used last (RFC 6238, section 5.2).
    package let lastStep: Int64
    package let createdAt: Date
    package let lastUsedAt: Date?

    package init(sealed: [UInt8], lastStep: Int64, createdAt: Date, lastUsedAt: Date? = nil) {
        self.sealed = sealed
        self.lastStep = lastStep
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
    }
}

/// How many recovery codes are left of those made together.
package struct RecoveryCodeCount: Sendable, Equatable {
    /// With so many left, or fewer, their owner is reminded to make new ones.
    static let low = 2

    package let left: Int
    package let createdAt: Date
    package let lastUsedAt: Date?
    /// What they are digested with, sealed.
    package let sealedKey: [UInt8]

    package init(left: Int, createdAt: Date, lastUsedAt: Date?, sealedKey: [UInt8]) {
        (self.left, self.createdAt, self.lastUsedAt, self.sealedKey) = (left, createdAt, lastUsedAt, sealedKey)
    }

    var isLow: Bool { left <= Self.low }
}

/// Recovery codes as they are kept.
package struct RecoveryCodeSet: Sendable, Equatable {
    /// 32 bytes each.
    package let digests: [[UInt8]]
    /// What they are digested with, sealed.
    package let sealedKey: [UInt8]

    package init(digests: [[UInt8]], sealedKey: [UInt8]) {
        (self.digests, self.sealedKey) = (digests, sealedKey)
    }
}
