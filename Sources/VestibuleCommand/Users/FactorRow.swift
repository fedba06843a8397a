import Essentials
import Foundation
import Vestibule

/// What an account has besides a password and providers, as the operator sees it.
struct FactorRow: Encodable {
    let passkeys: Int
    let hasApp: Bool
    /// How many are left.
    let recoveryCodes: Int
    /// When a removal that was asked for takes effect.
    let removedAt: Date?

    private enum CodingKeys: String, CodingKey {
        case passkeys
        case hasApp = "authenticator_app"
        case recoveryCodes = "recovery_codes"
        case removedAt = "removed_at"
    }

    init(_ factors: AccountFactors) {
        passkeys = factors.passkeys.count
        hasApp = factors.totp != nil
        recoveryCodes = factors.recoveryCodes?.left ?? 0
        removedAt = factors.removalDueAt
    }

    var text: String {
        let has = "passkeys \(passkeys), app \(hasApp ? "yes" : "no"), codes \(recoveryCodes)"
        return removedAt.map { "\(has); removed at \($0.utc)" } ?? has
    }
}
