import Essentials

extension MailMessage {
    /// The mail as it goes over the wire: RFC 5322 headers, then a text and an HTML part (RFC 2046,
    /// 5.1.4), CRLF lines.
    var encoded: [UInt8] {
        let parts = [Self.part("text/plain", text), Self.part("text/html", html)]
        let body = parts.map { "--\(Self.boundary)\r\n\($0)" }.joined() + "--\(Self.boundary)--\r\n"
        return Array((headers.joined() + "\r\n" + body).utf8)
    }

    // "=_" cannot occur in quoted-printable text (RFC 2045, 6.7), so no body can hold the boundary.
    static let boundary = "=_vestibule_part"

    private var headers: [String] {
        [
            MailHeader.mailbox("From", from),
            MailHeader.folded("To", [to]),
            MailHeader.unstructured("Subject", subject),
            MailHeader.folded("Date", [MessageDate.header(date)]),
            MailHeader.folded("Message-ID", ["<\(idWord)@\(from.domain)>"]),
            MailHeader.folded("MIME-Version", ["1.0"]),
            // Both keep out-of-office answers away: RFC 3834, 5, and the header Exchange listens
            // to.
            MailHeader.folded("Auto-Submitted", ["auto-generated"]),
            MailHeader.folded("X-Auto-Response-Suppress", ["DR, RN, NRN, OOF, AutoReply"]),
            MailHeader.folded("Content-Type", ["multipart/alternative;", "boundary=\"\(Self.boundary)\""]),
        ]
    }

    private static func part(_ type: String, _ content: String) -> String {
        MailHeader.folded("Content-Type", ["\(type); charset=utf-8"])
            + MailHeader.folded("Content-Transfer-Encoding", ["quoted-printable"])
            + "\r\n" + QuotedPrintable.encode(content)
    }
}
