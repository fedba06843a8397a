/// The headers that say who sent a request. Only Vestibule may set them.
enum IdentityHeaders {
    static let assertion = "Vestibule-Assertion"
    static let plain = ["Remote-User", "Remote-Email", "Remote-Name", "Remote-Groups"]
    /// Told to Vestibule by the proxy alone.
    static let questions = [
        "X-Original-URL", "X-Original-URI", "X-Original-Method", "X-Original-Host", "X-Forwarded-Uri",
        "X-Forwarded-Method", "Forwarded",
    ]

    static let all = [assertion] + plain

    /// With underscores and with dots, which many servers of applications take for dashes.
    static let aliases = ["_", "."].flatMap { mark in
        all.map { $0.utf8.split(separator: UInt8(ascii: "-")).map { String(decoding: $0, as: UTF8.self) } }
            .map { $0.joined(separator: mark) }
    }
}
