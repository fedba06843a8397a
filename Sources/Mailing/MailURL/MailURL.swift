import Essentials

/// The setting `VESTIBULE_MAIL_URL`: where mails go.
package enum MailURL: Sendable, Equatable {
    /// A folder of `.eml` files.
    case outbox(String)
    case smtp(SMTPServer)

    /// Reads `outbox:path`, `smtp://user:pass@host:587` or `smtps://host:465`; the ports are the
    /// defaults.
    package init(_ text: String) throws(MailURLFault) {
        if let path = text.after("outbox:") {
            guard !path.isEmpty, !path.unicodeScalars.contains(where: \.isUnsafeInHeader) else {
                throw MailURLFault("outbox: needs the path of a folder, such as outbox:data/mail")
            }
            self = .outbox(String(path))
        } else if let rest = text.after("smtp://") {
            self = .smtp(try SMTPServer(authority: rest, implicitTLS: false))
        } else if let rest = text.after("smtps://") {
            self = .smtp(try SMTPServer(authority: rest, implicitTLS: true))
        } else {
            throw MailURLFault("must start with outbox:, smtp:// or smtps://")
        }
    }
}

/// What is wrong with a mail URL, in one line that repeats no part of it.
package struct MailURLFault: Error, Sendable, Equatable {
    package let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
