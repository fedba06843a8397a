import Essentials

package import struct FoundationEssentials.Date

/// One mail to one recipient, before it is put into bytes; every text is as a person reads it.
package struct MailMessage: Sendable, Equatable {
    let from: MailAddress
    /// `local@domain` with an ASCII domain; the local part may be UTF-8 (RFC 6531).
    let to: String
    let subject: String
    let text: String
    let html: String
    /// Unique, and the same when a mail is sent again, so that mailboxes can tell a repetition.
    let id: String
    let date: Date

    package init(
        from: MailAddress,
        to: String,
        subject: String,
        text: String,
        html: String,
        id: String,
        date: Date
    ) {
        self.from = from
        self.to = to
        self.subject = subject
        self.text = text
        self.html = html
        self.id = id
        self.date = date
    }

    /// The id as one word with a letter in it: safe in a file name and a header, and never taken
    /// for a six-digit code.
    var idWord: String {
        let word = String(decoding: id.utf8.map { $0.isASCIILetterOrDigit ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
        return word.utf8.allSatisfy(\.isASCIIDigit) ? "m" + word : word
    }
}
