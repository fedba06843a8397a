import CCurl

extension MailFailure {
    /// Reads libcurl's result: permanent is only a 5xx about this mail, never one about us or the connection.
    init(_ code: CURLcode, reply: Int, hasSentMail: Bool) {
        let isAboutMail = code == CURLE_SEND_ERROR || (code == CURLE_WEIRD_SERVER_REPLY && hasSentMail)
        // 530, 534, 535 and 538 say that our credentials are wrong or missing (RFC 4954, 6), which an operator mends.
        let isAboutUs = [530, 534, 535, 538].contains(reply)
        if isAboutMail, (500...599).contains(reply), !isAboutUs {
            self = .permanent("the mail server answered \(reply)")
        } else if isAboutMail, (400...499).contains(reply) {
            self = .deferred("the mail server answered \(reply): \(code.text)")
        } else if (400...599).contains(reply) {
            self = .temporary("the mail server answered \(reply): \(code.text)")
        } else {
            self = .temporary("cannot talk to the mail server: \(code.text)")
        }
    }
}
