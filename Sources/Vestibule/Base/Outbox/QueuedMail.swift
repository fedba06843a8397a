package import Essentials
package import Foundation
import Mailing

/// What a mail says, before it is rendered: rendering waits until sending, so that no visitor does.
package struct MailContent: Sendable, Codable, Equatable {
    /// Which template under `Templates/mail`, and which subject. Features declare theirs as values
    /// beside their rules.
    package struct Kind: Sendable, Hashable {
        package let name: String
        /// How long the mail is worth sending: one with a code or link no longer than that works.
        let usefulFor: Duration?
        /// Whether it holds a code that somebody waits for.
        let isUrgent: Bool

        package init(_ name: String, usefulFor: Duration? = nil, isUrgent: Bool = false) {
            (self.name, self.usefulFor, self.isUrgent) = (name, usefulFor, isUrgent)
        }
    }

    /// Seconds the mail is worth sending; nil for one that always is, and in mails of an older
    /// version.
    private let usefulSeconds: Int64?

    let kind: Kind
    let to: String
    let locale: String
    let values: [String: String]
    /// Among the values: what was proved, as the key `mail.proofs.…` of a sentence.
    static let proofs = "proofs"
    /// Among the values: the token of a link, and when it expires, in milliseconds since 1970. A
    /// mail that is sent later has no link.
    static let token = "token"
    static let tokenEnd = "token_end"
    /// Among the values: a moment that the mail names, in milliseconds since 1970.
    static let date = "date"
    /// Sign-ins that the mail tells of, or the one act. Nil where no visitor did it, and in mails
    /// of an older version.
    let signIns: [MailedSignIn]?

    init(
        kind: Kind, to: String, locale: String, values: [String: String], signIns: [MailedSignIn]? = nil
    ) {
        self.kind = kind
        usefulSeconds = kind.usefulFor?.components.seconds
        self.to = to
        self.locale = locale
        self.values = values
        self.signIns = signIns
    }

    fileprivate var usefulFor: Duration? { usefulSeconds.map { .seconds($0) } }

    /// A row for the outbox, sealed because it holds a code and an address.
    package func sealed(
        for recipient: EmailAddress, key: SecretKey, id: String, now: Date
    ) throws -> QueuedMail {
        let bytes = try key.seal([UInt8](JSONEncoder().encode(self)), for: .mail(id: id))
        return QueuedMail(
            id: id, sealed: bytes, createdAt: now, attempts: 0, recipient: Self.recipients(recipient, key)[0],
            domain: Self.domain(of: recipient, key), isUrgent: kind.isUrgent
        )
    }

    /// Names a recipient under the keys in force, so that waiting mails can be found without
    /// holding an address.
    static func recipients(_ email: EmailAddress, _ key: SecretKey) -> [[UInt8]] {
        key.macs(.limit, Array("mail to \(email.key)".utf8)).map { Array($0.prefix(16)) }
    }

    /// Names the server a mail is for, without holding its name.
    private static func domain(of email: EmailAddress, _ key: SecretKey) -> [UInt8] {
        let name = AddrSpec.domain(of: email.ascii).asciiLowercased
        return Array(key.mac(.limit, Array("mail domain \(name)".utf8)).prefix(16))
    }
}

extension MailContent.Kind: Codable {
    /// A kind as it is stored: by its name alone.
    package init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.name.isExactly(right.name)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(name)
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
    /// Longest wait between two tries: one that is due later than that was queued by a clock that
    /// has been set back.
    package static let longestWait: Duration = .seconds(3600)
    /// Seconds an urgent mail is worth sending that does not say so itself: its code is over then.
    static let urgentLifetime: TimeInterval = 600

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

    /// Until when the mail is worth sending; nil for one that always is.
    func usefulUntil(_ content: MailContent) -> Date? {
        (content.usefulFor?.seconds).map { createdAt.addingTimeInterval($0) }
    }

    func content(key: SecretKey) throws -> MailContent {
        try JSONDecoder().decode(MailContent.self, from: Data(key.open(sealed, for: .mail(id: id))))
    }
}

/// A server's claim to mails that it sends: nobody else takes them before it ends.
package struct MailLease: Sendable, Equatable {
    /// Names the server from its start to its end.
    package let node: String
    package let until: Date
}

/// The outbox table. Rows are added by the operation that causes the mail, in its transaction.
package protocol OutboxStore: Sendable {
    /// Takes a due mail; one whose lease is over is due again. Urgent mails go before the rest,
    /// unless they were tried more than three times, and first tries before others. Mails due later
    /// than the longest wait are due, too.
    func takeDueMail(among choice: MailChoice, now: Date, lease: MailLease) async throws -> QueuedMail?
    /// Called when a node starts, before it takes mails. If no other one serves, nobody sends the
    /// mails that are leased, and they are due at once; else each is when its lease is over.
    func releaseMails(startedBy node: Node, now: Date) async throws
    /// The mail was delivered: its row is gone.
    func mailSent(id: String) async throws
    /// The mail was not delivered. `retryAt` nil means never again; the row stays for the operator.
    /// Nothing happens when the node's lease was over and another one has taken the mail.
    func mailFailed(id: String, node: String, reason: String, retryAt: Date?) async throws
    /// The node cannot send the mail, others may: due at `retryAt`, and not counted as a try.
    /// Nothing happens when the node's lease was over and another one has taken the mail.
    func mailPutBack(id: String, node: String, reason: String, retryAt: Date) async throws
    /// Since when the mail that waits longest for its first try is due; `nil` when none does.
    func untriedMailDue() async throws -> Date?
}
