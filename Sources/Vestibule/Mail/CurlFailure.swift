import CCurl

extension MailFailure {
    /// Reads libcurl's result: permanent is only a 5xx about this mail, never one about us or the connection.
    init(_ code: CURLcode, reply: Int, at step: SMTPStep) {
        let answered = "the mail server answered \(reply)"
        // 530, 534, 535 and 538 say that our credentials are wrong or missing (RFC 4954, 6), whatever they answer.
        let isAboutUs = step == .authentication || step == .sender || [530, 534, 535, 538].contains(reply)
        guard (400...599).contains(reply) else {
            let isSilent = code == CURLE_OPERATION_TIMEDOUT && (step == .recipient || step == .message)
            self =
                isSilent
                ? .unanswered("the mail server did not answer in time")
                : .temporary("cannot talk to the mail server: \(code.text)")
            return
        }
        switch step {
        case .connection, .authentication, .sender:
            self = isAboutUs ? .senderRefused("sender refused: \(answered)") : .temporary("\(answered): \(code.text)")
        case .recipient, .message:
            if isAboutUs {
                self = .senderRefused("sender refused: \(answered)")
            } else {
                self = reply >= 500 ? .permanent(answered) : .deferred("\(answered): \(code.text)")
            }
        }
    }
}
