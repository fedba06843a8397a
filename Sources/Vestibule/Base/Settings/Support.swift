import Essentials

/// Who runs the site, and where people ask.
struct Support: Sendable {
    let owner: String?
    /// https, or http on this machine.
    let url: String?
    let email: EmailAddress?

    init(_ read: SettingsReader) {
        owner = Settings.words(read, .owner)
        url = Settings.words(read, .supportURL)
        let address = Settings.words(read, .supportEmail)
        email = address.flatMap { EmailAddress($0) }
        if let url, Origin(ofURL: url).map({ $0.isSecure || $0.isLoopback }) != true {
            read.note(
                .supportURL, "is \"\(url)\"",
                hint: "An https URL such as https://example.com/help; http on localhost only.")
        }
        if let address, email == nil {
            read.note(.supportEmail, "is \"\(address)\"", hint: "An address such as help@example.com.")
        }
    }

    /// What the link to ask leads to: the page, or else a mail (RFC 6068). Nil if there is neither.
    var link: String? {
        url
            ?? email.map { email in
                "mailto:" + email.ascii.percentEncoded { $0.isUnreserved || $0 == UInt8(ascii: "@") }
            }
    }

    /// The same in words, for mails that are read as text.
    var place: String? { url ?? email?.typed }
}
