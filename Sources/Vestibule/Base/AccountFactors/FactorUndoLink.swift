import Crypto
package import Essentials
package import Foundation

/// What the mail about an account's first factor lets its reader take back. Before that factor the
/// mailbox opened the account, so for three days the mailbox can still remove it, and with it all
/// that was added since: the proof for that was the first factor, and so perhaps a thief's.
package struct FactorUndoLink: Sendable, Equatable {
    /// In seconds.
    package static let lifetime: TimeInterval = 3 * 86_400

    let accountID: AccountID
    /// How the id of the passkey begins that was added, which goes whenever it was made. Dashes
    /// for another factor.
    let passkey: String
    /// Whole milliseconds.
    package let expiresAt: Date

    /// When a link of that moment expires.
    package static func expiry(from moment: Date) -> Date { Date(ms: moment.addingTimeInterval(lifetime).ms) }

    /// Of that moment and later is what goes: also what the mailbox could have taken back when the
    /// factor was added, such as a passkey that a browser had made by itself.
    package var since: Date { expiresAt.addingTimeInterval(-2 * Self.lifetime) }

    /// The digest under which the store keeps a time: the account's links that expire by then no
    /// longer work. It is set when factors are taken back, or removed by an operator: a copy of an
    /// earlier link could otherwise remove each factor that follows. A new password ends no link: a
    /// person who knows the old one would make their factor permanent.
    package static func ended(_ accountID: AccountID) -> TokenDigest {
        TokenDigest(bytes: [UInt8](SHA256.hash(data: Array("factor undo \(accountID.rawValue)".utf8))))
    }

    /// The digest under which the store keeps until when the mailbox of that address may take back
    /// the account's first factor: the mail with the link may be gone.
    package static func open(_ accountID: AccountID, emailKey: String) -> TokenDigest {
        let text = "factor undo open \(accountID.rawValue) \(emailKey)"
        return TokenDigest(bytes: [UInt8](SHA256.hash(data: Array(text.utf8))))
    }

    func names(_ other: Passkey) -> Bool {
        other.id.utf8.prefix(Self.part).elementsEqual(passkey.utf8)
    }

    /// Characters of the id of a passkey, and of the time: 48 bits each.
    fileprivate static let part = 8
    fileprivate static let noPasskey = String(repeating: "-", count: part)

    fileprivate var body: String {
        let time = withUnsafeBytes(of: expiresAt.ms.bigEndian) { Array($0.suffix(6)) }
        return accountID.rawValue + passkey + Base64URL.encode(time)
    }
}

/// Signs such links, which rest in the mail alone, and knows them again. They fit on one line: the
/// signature covers the address, which they need not hold.
struct FactorUndoLinks: Sendable {
    let key: SecretKey
    let now: @Sendable () -> Date
    /// Of a signature, in bytes and in characters.
    private static let (macBytes, macLength) = (16, 22)

    /// `expiresAt` is that of an earlier link; nil for one of now.
    func link(passkey: String?, of account: Account, expiresAt: Date? = nil) -> FactorUndoLink {
        FactorUndoLink(
            accountID: account.id,
            passkey: passkey.map { String(decoding: $0.utf8.prefix(FactorUndoLink.part), as: UTF8.self) }
                ?? FactorUndoLink.noPasskey,
            expiresAt: expiresAt ?? FactorUndoLink.expiry(from: now()))
    }

    /// What a mail says to have the link.
    func values(_ link: FactorUndoLink, of account: Account) -> [String: String] {
        [MailContent.token: text(link, of: account), MailContent.tokenEnd: "\(link.expiresAt.ms)"]
    }

    func text(_ link: FactorUndoLink, of account: Account) -> String {
        link.body + Base64URL.encode(Array(key.mac(.csrf, message(link, account)).prefix(Self.macBytes)))
    }

    /// What the text says, before anybody has checked its signature. Returns nil for one that is no
    /// link, or too old.
    func read(_ text: String) -> FactorUndoLink? {
        let bytes = Array(text.utf8.dropLast(Self.macLength)), part = FactorUndoLink.part
        guard (2 * part + 1...100).contains(bytes.count),
            let time = Base64URL.decode(String(decoding: bytes.suffix(part), as: UTF8.self))
        else { return nil }
        let link = FactorUndoLink(
            accountID: AccountID(rawValue: String(decoding: bytes.dropLast(2 * part), as: UTF8.self)),
            passkey: String(decoding: bytes.dropLast(part).suffix(part), as: UTF8.self),
            expiresAt: Date(ms: time.reduce(0) { $0 << 8 | Int64($1) }))
        return now() < link.expiresAt ? link : nil
    }

    /// Whether the text is our link for that account and the address it has now.
    func verifies(_ text: String, _ link: FactorUndoLink, of account: Account) -> Bool {
        guard let mac = Base64URL.decode(String(decoding: text.utf8.suffix(Self.macLength), as: UTF8.self)),
            mac.count == Self.macBytes
        else { return false }
        return key.verifies(mac, .csrf, message(link, account))
    }

    private func message(_ link: FactorUndoLink, _ account: Account) -> [UInt8] {
        Array("factor undo \(link.body) \(account.email.key)".utf8)
    }
}
