import Crypto
import Essentials
import Foundation

/// What the mail about an account's first factor lets its reader take back. Before that factor the
/// mailbox opened the account, so for three days the mailbox can still remove it, and with it all
/// that was added since: the proof for that was the first factor, and so perhaps a thief's.
struct FactorUndoLink: Codable, Sendable, Equatable {
    /// In seconds.
    static let lifetime: TimeInterval = 3 * 86_400

    let accountID: AccountID
    /// The address it was mailed to: of another one the account knows nothing.
    let emailKey: String
    /// The passkey that was added, which goes whenever it was made. Nil for another factor.
    let passkeyID: String?
    let expiresAt: Date

    /// Of that moment and later is what goes: also what the mailbox could have taken back when the
    /// factor was added, such as a passkey that a browser had made by itself.
    var since: Date { expiresAt.addingTimeInterval(-2 * Self.lifetime) }

    /// It works once: a person who has copied it could otherwise remove each factor that follows.
    var once: Once {
        let text = "factor undo \(accountID) \(passkeyID ?? "app") \(expiresAt.ms)"
        return Once(digest: TokenDigest(bytes: [UInt8](SHA256.hash(data: Array(text.utf8)))), until: expiresAt)
    }
}

/// Seals such links, so that they rest in the mail alone, and knows them again.
struct FactorUndoLinks: Sendable {
    let key: SecretKey
    let now: @Sendable () -> Date
    private static let use = SealedUse.link(name: "factor-undo")

    func text(passkey: String?, of account: Account) throws -> String {
        let link = FactorUndoLink(
            accountID: account.id, emailKey: account.email.key, passkeyID: passkey,
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
