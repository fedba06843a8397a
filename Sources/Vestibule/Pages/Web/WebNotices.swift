import Serving

extension Notice {
    static let signInFirst = Notice("sign_in_first", .note)
    static let sessionOver = Notice("session_over", .note)
    static let formStale = Notice("form_stale", .problem)
    static let signedOut = Notice("signed_out", .done)
    static let lastWay = Notice("last_way", .problem)
}
