package import Essentials
package import Foundation
import Mailing

/// What a mail says, before it is rendered: rendering waits until sending, so that no visitor does.
package struct MailContent: Sendable, Codable, Equatable {
    /// Which template under `Templates/mail`, and which subject.
    package enum Kind: String, Sendable, Codable {
        case signupCode = "signup-code"
        case signupTaken = "signup-taken"
        case passwordReset = "password-reset"
        case passwordChanged = "password-changed"
        case emailChangeCode = "email-change-code"
        case emailChanged = "email-changed"
        case emailUndoCode = "email-undo-code"
        case emailRestored = "email-restored"
        case emailTakenBack = "email-taken-back"
        case accountLocked = "account-locked"
        case passwordReplaced = "password-replaced"
        case newSignIn = "new-sign-in"
        case newSignIns = "new-sign-ins"
        case accountDeleted = "account-deleted"
        case identityAdded = "identity-added"
        case identityRemoved = "identity-removed"
        case invitation
        case resetRequested = "reset-requested"

        /// How long the mail is worth sending: one with a code or link no longer than that works.
        var usefulFor: Duration? {
            switch self {
            case .signupCode, .signupTaken, .passwordReset, .emailChangeCode, .emailUndoCode: Code.lifetime
            case .emailChanged: EmailUndo.lifetime
            case .invitation, .resetRequested: MailedReset.lifetime
            case .passwordChanged, .passwordReplaced, .emailRestored, .emailTakenBack, .accountLocked, .newSignIn,
                .newSignIns, .accountDeleted, .identityAdded, .identityRemoved:
                nil
            }
        }
    }

    package let kind: Kind
    package let to: String
    package let locale: String
    package let values: [String: String]
    /// Sign-ins that the mail tells of. Nil for other kinds, and in mails of an older version.
    package let signIns: [MailedSignIn]?

    package init(
        kind: Kind, to: String, locale: String, values: [String: String], signIns: [MailedSignIn]? = nil
    ) {
        self.kind = kind
        self.to = to
        self.locale = locale
        self.values = values
        self.signIns = signIns
    }

    /// A row for the outbox, sealed because it holds a code and an address.
    package func sealed(key: SecretKey, random: Randomness, now: Date) throws -> QueuedMail {
        let id = random.id()
        let bytes = try key.seal([UInt8](JSONEncoder().encode(self)), for: .mail(id: id))
        return QueuedMail(
            id: id, sealed: bytes, createdAt: now, attempts: 0, recipient: Self.recipients(to, key)[0],
            domain: Self.domain(of: to, key), isUrgent: kind.usefulFor == Code.lifetime
        )
    }

    /// Names a recipient under the keys in force, so that waiting mails can be found without holding an address.
    package static func recipients(_ address: String, _ key: SecretKey) -> [[UInt8]] {
        key.macs(.limit, Array("mail to \(EmailAddress(address)?.key ?? address)".utf8)).map { Array($0.prefix(16)) }
    }

    /// Names the server a mail is for, without holding its name.
    private static func domain(of address: String, _ key: SecretKey) -> [UInt8] {
        let name = AddrSpec.domain(of: EmailAddress(address)?.ascii ?? address).asciiLowercased
        return Array(key.mac(.limit, Array("mail domain \(name)".utf8)).prefix(16))
    }
}

/// A mail as it rests in the outbox table.
package struct QueuedMail: Sendable, Equatable {
    package let id: String
    package let sealed: [UInt8]
    package let createdAt: Date
    /// Tries so far.
    package let attempts: Int
    /// Names whom it goes to, without holding the address.
    package let recipient: [UInt8]
    /// Names the domain it goes to, without holding it; empty for a mail of an older version.
    package let domain: [UInt8]
    /// Whether it holds a code that somebody waits for: it goes before those that only tell.
    package let isUrgent: Bool
    /// Longest wait between two tries: one that is due later than that was queued by a clock that has been set back.
    package static let longestWait: Duration = .seconds(3600)

    package init(
        id: String, sealed: [UInt8], createdAt: Date, attempts: Int, recipient: [UInt8] = [], domain: [UInt8] = [],
        isUrgent: Bool = false
    ) {
        self.id = id
        self.sealed = sealed
        self.createdAt = createdAt
        self.attempts = attempts
        self.recipient = recipient
        self.domain = domain
        self.isUrgent = isUrgent
    }

    package func content(key: SecretKey) throws -> MailContent {
        try JSONDecoder().decode(MailContent.self, from: Data(key.open(sealed, for: .mail(id: id))))
    }
}

/// A server's claim to mails that it sends: nobody else takes them before it ends.
package struct MailLease: Sendable, Equatable {
    /// Names the server from its start to its end.
    package let node: String
    package let until: Date

    package init(node: String, until: Date) {
        self.node = node
        self.until = until
    }
}

/// The outbox table. Rows are added by the operation that causes the mail, in its transaction.
package protocol OutboxStore: Sendable {
    /// Takes up to `limit` due mails; those whose lease is over are due again. First tries go before
    /// others, and urgent mails before the rest. Mails due later than the longest wait are due, too.
    func takeDueMails(limit: Int, among choice: MailChoice, now: Date, lease: MailLease) async throws -> [QueuedMail]
    /// Called when a node starts. If no other one runs, nobody sends the mails that are leased, and
    /// they are due at once; else each is when its lease is over.
    func releaseMails() async throws
    /// The mail was delivered: its row is gone.
    func mailSent(id: String) async throws
    /// The mail was not delivered. `retryAt` nil means never again; the row stays for the operator.
    /// Nothing happens when the node's lease was over and another one has taken the mail.
    func mailFailed(id: String, node: String, reason: String, retryAt: Date?) async throws
    /// When the next mail is due; `nil` when none waits.
    func nextMailDue() async throws -> Date?
}
