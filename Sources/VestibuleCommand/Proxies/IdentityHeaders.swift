import Essentials

/// The headers that say who sent a request, and others that a proxy alone may set.
enum IdentityHeaders {
    static let assertion = "Vestibule-Assertion"
    static let plain = ["Remote-User", "Remote-Email", "Remote-Name", "Remote-Groups"]
    static let all = [assertion] + plain

    /// Headers in which other sign-in proxies name the person; some applications believe them.
    static let ofOthers =
        ["User", "Email", "Groups", "Preferred-Username"].flatMap { ["X-Forwarded-\($0)", "X-Auth-Request-\($0)"] } + [
            "X-Remote-User", "X-Remote-Email", "X-Remote-Name", "X-Remote-Groups", "X-WEBAUTH-USER", "X-WEBAUTH-EMAIL",
        ]

    /// Told to Vestibule, or to applications, by the proxy.
    static let questions = [
        "X-Original-URL", "X-Original-URI", "X-Original-Method", "X-Original-Host", "X-Rewrite-URL",
        "X-Forwarded-Uri", "X-Forwarded-Method", "X-Forwarded-Prefix", "X-Forwarded-Ssl", "Forwarded",
    ]

    /// Told to applications by Traefik, which replaces what a client says; others pass it on.
    static let places = ["X-Real-IP", "X-Forwarded-Port", "X-Forwarded-Server"]

    /// Goes with an upgrade out of HTTP/1.1 to something else than a WebSocket (RFC 7540 section
    /// 3.2.1).
    static let upgradeSettings = "HTTP2-Settings"

    /// All marks that a header name may have but the dash (RFC 9110 section 5.6.2). Programs that
    /// make variables of names, such as CGI, take each of them for a dash.
    static let marks = ["!", "#", "$", "%", "&", "'", "*", "+", ".", "^", "_", "`", "|", "~"]

    /// The names with that mark in place of each dash.
    static func spelled(_ names: [String], with mark: String) -> [String] {
        names.map { $0.parts(by: "-").joined(separator: mark) }
    }
}
