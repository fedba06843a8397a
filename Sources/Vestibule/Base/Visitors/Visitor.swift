import Essentials

/// Who sent a request, as far as rules care: where from, with what, in which language, with which
/// session before.
struct Visitor: Sendable {
    var client: ClientAddress
    var userAgent: String
    var locale: String
    var requestID: String
    var sessionDigest: TokenDigest?
    /// Addresses this browser has signed in to before.
    var device: DeviceCookie?

    /// Before anybody has looked.
    static let unknown = Visitor(client: .unknown, userAgent: "", locale: "en", requestID: "")
}
