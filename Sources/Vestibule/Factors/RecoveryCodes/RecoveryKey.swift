import Crypto
import Essentials

/// What an account's recovery codes are digested with: 32 random bytes. It rests sealed, so a new
/// secret key can seal it anew; the codes themselves are not kept.
struct RecoveryKey: Secret, Sendable {
    private let bytes: [UInt8]

    init(from random: Randomness) {
        bytes = random.bytes(32)
    }

    /// Throws `FactorUnreadable` if the keys in force did not seal it for that account.
    init(_ codes: FactorKey, _ key: SecretKey, of accountID: AccountID) throws {
        bytes = try codes.opened(key, of: accountID)
    }

    /// HMAC-SHA-256, bound to the account.
    func digest(_ code: RecoveryCode, of accountID: AccountID) -> [UInt8] {
        let message = Array(accountID.rawValue.utf8) + [0] + code.characters
        return [UInt8](HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: bytes)))
    }

    /// What the store keeps of an account's codes.
    static func set(
        of codes: [RecoveryCode], from random: Randomness, _ key: SecretKey, for accountID: AccountID
    ) throws -> RecoveryCodeSet {
        let own = RecoveryKey(from: random)
        return RecoveryCodeSet(
            digests: codes.map { own.digest($0, of: accountID) },
            sealedKey: try key.seal(own.bytes, for: SecondFactor.recoveryCode.sealing(accountID)))
    }
}

/// Recovery codes as they are kept.
package struct RecoveryCodeSet: Sendable, Equatable {
    /// 32 bytes each.
    package let digests: [[UInt8]]
    /// What they are digested with, sealed.
    package let sealedKey: [UInt8]
}
