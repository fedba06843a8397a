import CCurl
import Essentials

extension MailFailure {
    /// Reads libcurl's result: permanent is only a 5xx about this mail, never one about us or the
    /// connection.
    init(_ code: CURLcode, reply: Int, at progress: SMTPProgress) {
        let step = progress.step
        let hasNoWay = code == CURLE_LOGIN_DENIED && step == .connection && !(400...599).contains(reply)
        guard !hasNoWay, !progress.lacksSignIn else {
            self = .senderRefused("cannot sign in to the mail server: \(ConnectionTrouble.noSignIn.sentence)")
            return
        }
        let digits = "\(reply)" + (progress.status.map { " \($0)" } ?? "")
        let answered = "the mail server answered \(digits)"
        guard (400...599).contains(reply) else {
            let isLate = code == CURLE_OPERATION_TIMEDOUT
            self =
                switch step {
                case .end: .unconfirmed("the mail server did not say whether it has taken the mail")
                case .recipient where isLate, .message where isLate:
                    .unanswered("the mail server did not answer in time")
                // About this recipient alone, perhaps, whom a stranger chose: others may get mail.
                case .recipient: .unanswered("the mail server ended the connection")
                default: .temporary("cannot talk to the mail server: \(code.sentence)")
                }
            return
        }
        switch step {
        case .sender where reply >= 500 && progress.status?.isExactly("5.4.5") == true:
            self = .temporary("\(ConnectionTrouble.quota.sentence): \(answered)")
        case _ where Self.refusesUs(reply, at: step):
            self = .senderRefused("\(Self.refusal(reply, at: step).sentence): \(answered)")
        case .connection where reply >= 500:
            let trouble = code == CURLE_USE_SSL_FAILED ? ConnectionTrouble.noStartTLS : .thisMachine
            self = .temporary("cannot talk to the mail server: \(trouble.sentence); it answered \(digits)")
        // A 4xx here is a server that is busy or wants fewer mails, for now (RFC 5321, 4.2.1).
        case .connection, .authentication, .sender: self = .temporary("\(answered), which means not now")
        case .recipient, .message, .end:
            self = reply >= 500 ? .permanent(answered) : .deferred("\(answered), which means not now")
        }
    }

    private static func refusal(_ reply: Int, at step: SMTPStep) -> ConnectionTrouble {
        // RFC 4954, section 6.
        if reply == 530 { return .noCredentials }
        return step == .authentication || [534, 535, 538].contains(reply) ? .wrongCredentials : .sender
    }

    /// Whether no mail will be taken until an operator has mended something.
    private static func refusesUs(_ reply: Int, at step: SMTPStep) -> Bool {
        // 530, 534, 535 and 538 say that our credentials are wrong or missing (RFC 4954, 6),
        // whatever they answer.
        if [530, 534, 535, 538].contains(reply) { return true }
        return reply >= 500 && (step == .authentication || step == .sender)
    }
}
