import Serving

extension Notice {
    static let sessionEnded = Notice("session_ended", .done)
    static let sessionsEnded = Notice("sessions_ended", .done)
    static let signedOut = Notice("signed_out", .done)
}
