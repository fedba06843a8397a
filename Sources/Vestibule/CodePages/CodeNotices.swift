import Serving

extension Notice {
    static let flowExpired = Notice("flow_expired", .problem, offersRestart: true)
    static let flowUnknown = Notice("flow_unknown", .problem, offersRestart: true)
    static let codeSentAgain = Notice("code_sent_again", .done)
    static let newCode = Notice("new_code", .note)
    static let linkLost = Notice("link_lost", .problem)
}
