package import Foundation

/// A factor that was right, as the store notes it: each works once.
package enum FactorUse: Sendable {
    case passkey(PasskeyUse)
    /// What takes the counter of a key there, by the key that was made at that moment: another one
    /// may be in its place since.
    case counter(Int64, of: SecondFactor, madeAt: Date)
    /// One of the codes that are kept of that kind.
    case code(digest: [UInt8], of: SecondFactor)

    package var factor: SecondFactor {
        switch self {
        case .passkey: .passkey
        case .counter(_, let kind, _), .code(_, let kind): kind
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
}
