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

    /// The id as one word, safe in a file name and a header. Ids of letters, digits, `-` and `_`
    /// stay as logs name them, unless a part of it could be taken for a code.
    var idWord: String {
        let (dash, underscore) = (UInt8(ascii: "-"), UInt8(ascii: "_"))
        let word = id.utf8.map { $0.isASCIILetterOrDigit || $0 == dash ? $0 : underscore }
        let hasCode = word.split(separator: dash).contains {
            (6...12).contains($0.count) && $0.allSatisfy(\.isASCIIDigit)
        }
        guard hasCode else { return String(decoding: word, as: UTF8.self) }
        return "m" + String(decoding: word.map { $0 == dash ? underscore : $0 }, as: UTF8.self)
    }
}
