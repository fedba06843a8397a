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
    init(_ sealed: [UInt8], _ key: SecretKey, of accountID: AccountID) throws {
        do {
            bytes = try key.open(sealed, for: .recoveryKey(account: accountID.rawValue))
        } catch {
            throw FactorUnreadable()
        }
    }

    func sealed(_ key: SecretKey, for accountID: AccountID) throws -> [UInt8] {
        try key.seal(bytes, for: .recoveryKey(account: accountID.rawValue))
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
            digests: codes.map { own.digest($0, of: accountID) }, sealedKey: try own.sealed(key, for: accountID))
    }
}
