import Essentials
import HTTPTypes
import Hummingbird

extension Request {
    /// Whether it is for the JSON API, where sessions come as bearer tokens and cookies mean
    /// nothing. The router reads `//api` like `/api`, and so must this.
    package var isForAPI: Bool { uri.path.utf8.drop { $0 == UInt8(ascii: "/") }.starts(with: "api/".utf8) }

    /// The token of `Authorization: Bearer …` (RFC 6750 section 2.1).
    package var bearer: Substring? {
        guard let parts = headers[.authorization]?.parts(by: " ", atMost: 2), parts.count == 2,
            parts[0].asciiLowercased == "bearer"
        else { return nil }
        return parts[1]
    }
}
