import Essentials
import Foundation

/// What the mail about an account's first factor lets its reader take back. Before that factor the
/// mailbox opened the account, so for three days the mailbox can still remove the factor. Later
/// factors were added after a proof by an earlier one, and can be removed with that one.
struct FactorUndoLink: Codable, Sendable, Equatable {
    /// In seconds.
    static let lifetime: TimeInterval = 3 * 86_400

    let accountID: AccountID
    /// The address it was mailed to: of another one the account knows nothing.
    let emailKey: String
    let factor: Factor
    let expiresAt: Date

    /// What was added.
    enum Factor: Codable, Sendable, Equatable {
        case passkey(id: String)
        /// The authenticator app of that moment.
        case app(addedAt: Date)
    }
}

/// Seals such links, so that they rest in the mail alone, and knows them again.
struct FactorUndoLinks: Sendable {
    let key: SecretKey
    let now: @Sendable () -> Date
    private static let use = SealedUse.cookie(name: "factor-undo")

    func text(_ factor: FactorUndoLink.Factor, of account: Account) throws -> String {
        let link = FactorUndoLink(
            accountID: account.id, emailKey: account.email.key, factor: factor,
            expiresAt: now().addingTimeInterval(FactorUndoLink.lifetime))
        return Base64URL.encode(try key.seal(CompactJSON.encode(link), for: Self.use))
    }

    /// Returns nil for one that is not ours, or too old.
    func open(_ text: String) -> FactorUndoLink? {
        guard text.utf8.count <= 1024, let sealed = Base64URL.decode(text),
            let plain = try? key.open(sealed, for: Self.use),
            let link = try? JSONDecoder().decode(FactorUndoLink.self, from: Data(plain)), now() < link.expiresAt
        else { return nil }
        return link
    }
}
