import Essentials

/// Why a hand-over to an application ends: a page names it, in place of a redirect loop.
enum HandOverProblem: Error, Equatable {
    /// The browser does not send back the cookie that its hand-over is bound to.
    case cookieRefused
    /// The browser has the application's cookie, but the proxy's question came without it.
    case cookieNotPassedOn
    /// The application was opened by http where the settings name https, or the other way round.
    case otherScheme(expected: Origin)
    /// No application has that host.
    case unknownHost(String)
    /// The proxy asks with another `Host` than the browser, as it says itself.
    case hostChanged(from: String, to: String)
    /// The ticket or the link was used before, or came too late.
    case spent

    /// Ends the keys of its sentence; stands in the log.
    var name: String {
        switch self {
        case .cookieRefused: "cookie_refused"
        case .cookieNotPassedOn: "cookie_not_passed_on"
        case .otherScheme: "other_scheme"
        case .unknownHost: "unknown_host"
        case .hostChanged: "host_changed"
        case .spent: "spent"
        }
    }

    /// Whether it is for the operator to mend.
    var isConfiguration: Bool { self != .spent && self != .cookieRefused }
}
