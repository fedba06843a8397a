import Hummingbird

/// Something a redirect has to say on the next page; a closed set, so that no link can put words on our pages.
enum Notice: String, Sendable {
    case flowExpired = "flow-expired"
    case codeSentAgain = "code-sent-again"
    case passwordChanged = "password-changed"
    case passwordReplaced = "password-replaced"
    case sessionEnded = "session-ended"

    init?(_ request: Request) {
        guard let name = request.uri.queryParameters.get("notice"), let notice = Notice(rawValue: name) else {
            return nil
        }
        self = notice
    }

    var sentenceKey: String {
        switch self {
        case .flowExpired: "notice.flow_expired"
        case .codeSentAgain: "notice.code_sent_again"
        case .passwordChanged: "notice.password_changed"
        case .passwordReplaced: "notice.password_replaced"
        case .sessionEnded: "notice.session_ended"
        }
    }
}
