import Foundation
import Testing

@testable import Mailing

/// The mail the tests send; each changes what it is about.
func mail(
    to recipient: String = "ada@example.org",
    from sender: String = "Vestibule <no-reply@door.example>",
    subject: String = "Your code",
    text: String = "Your code is\n\n482913\n",
    html: String = "<p>Your code is</p>\n<p>482913</p>\n",
    id: String = "01hxyz",
    date: Date = Date(timeIntervalSince1970: 1_795_243_893.123)
) throws -> MailMessage {
    let from = try #require(MailAddress(sender))
    return MailMessage(from: from, to: recipient, subject: subject, text: text, html: html, id: id, date: date)
}

extension MailMessage {
    /// The bytes on the wire as text.
    var raw: String { String(decoding: encoded, as: UTF8.self) }

    var rawLines: [String] { raw.components(separatedBy: "\r\n") }
}
