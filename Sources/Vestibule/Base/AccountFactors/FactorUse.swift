package import Foundation

/// A factor that was right, as the store notes it: each works once.
package enum FactorUse: Sendable {
    case passkey(PasskeyUse)
    /// The code of that time step, by the key that was made at that moment: another one may be in
    /// its place since.
    case totp(step: Int64, madeAt: Date)
    case recoveryCode(digest: [UInt8])

    package var factor: SecondFactor {
        switch self {
        case .passkey: .passkey
        case .totp: .totp
        case .recoveryCode: .recoveryCode
        }
    }
}

/// What an authenticator said when it signed.
package struct PasskeyUse: Sendable {
    package let id: String
    package let signatureCount: UInt32
    package let backup: PasskeyBackup
    /// The challenge, which may be answered once.
    package let once: Once

    package init(id: String, signatureCount: UInt32, backup: PasskeyBackup, once: Once) {
        self.id = id
        self.signatureCount = signatureCount
        self.backup = backup
        self.once = once
    }
}
