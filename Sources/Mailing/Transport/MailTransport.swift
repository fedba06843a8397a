/// Where mails are handed over.
package protocol MailTransport: Sendable {
    /// Hands one mail over; returns when the other side has taken responsibility for it.
    func send(_ message: MailMessage) async throws(MailFailure)

    /// Tries everything but a mail, for `vestibule doctor`. Throws `.senderRefused` where no mail
    /// would be taken from us.
    func check() async throws(MailFailure)
}

/// Why a mail did not leave; the reason is for logs and the operator and holds neither address nor
/// content.
package enum MailFailure: Error, Sendable, Equatable {
    /// Worth trying again, and no other mail would get out either: network, TLS, time-out, full
    /// disk, a 4xx reply before the recipient was named, a 5xx greeting, or a limit of sending.
    case temporary(String)
    /// Worth trying again when an operator has mended it: a 5xx reply that refuses our credentials,
    /// or our address at `MAIL FROM`, or a server that takes no credentials.
    case senderRefused(String)
    /// Worth trying again: no reply in time about this recipient or mail, or the connection ended
    /// at the recipient.
    case unanswered(String)
    /// Worth trying again, but not soon: the whole mail may have been sent, and the server did not
    /// say whether it took it, so that each try may be one more copy.
    case unconfirmed(String)
    /// Worth trying again: a 4xx reply about this mail (RFC 5321, 4.2.1).
    case deferred(String)
    /// This mail will never be taken: a 5xx reply about it (RFC 5321, 4.2.1), or an address that
    /// cannot be written.
    case permanent(String)

    package var reason: String {
        switch self {
        case .temporary(let reason), .senderRefused(let reason), .unanswered(let reason), .unconfirmed(let reason),
            .deferred(let reason), .permanent(let reason):
            reason
        }
    }
}
