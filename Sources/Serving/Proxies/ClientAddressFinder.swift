package import Essentials
package import HTTPTypes

/// Finds the client behind trusted proxies: the rightmost hop that is not one of them (RFC 7239,
/// X-Forwarded-For).
package struct ClientAddressFinder: Sendable {
    let trusted: [IPRange]
    private static let forwarded = HTTPField.Name("Forwarded")
    private static let xForwardedFor = HTTPField.Name("X-Forwarded-For")

    package init(trusted: [IPRange]) {
        self.trusted = trusted
    }

    /// The client to believe in a request from `peer`. Headers count only when the peer is a
    /// trusted proxy. Unknown when `Forwarded` and `X-Forwarded-For` disagree, as one of them came
    /// from the client; when a hop that has to be believed cannot be read; and when only other
    /// headers tell that the request was passed on.
    package func client(peer: ClientAddress, headers: HTTPFields) -> ClientAddress {
        guard isTrusted(peer) else { return peer }
        let forwarded = hops(Self.forwarded, headers, ForwardedHops.forwarded)
        let xForwardedFor = hops(Self.xForwardedFor, headers, ForwardedHops.xForwardedFor)
        switch (forwarded, xForwardedFor) {
        case (let hops?, nil), (nil, let hops?): return rightmostUntrusted(hops)
        case (let left?, let right?):
            let believed = rightmostUntrusted(left)
            return believed == rightmostUntrusted(right) ? believed : .unknown
        case (nil, nil): return headers.contains(where: ForwardingNotice.isForwarding) ? .unknown : peer
        }
    }

    package func isTrusted(_ peer: ClientAddress) -> Bool {
        peer.ipAddress.map(isTrusted) ?? false
    }

    private func isTrusted(_ address: IPAddress) -> Bool {
        trusted.contains { $0.contains(address) }
    }

    /// What both headers say, for the log.
    package static func hopLines(_ headers: HTTPFields) -> String {
        let fields = headers.filter { $0.name == forwarded || $0.name == xForwardedFor }
        return fields.map { "\($0.name.canonicalName): \($0.value)" }.joined(separator: "; ")
    }

    /// Returns nil if no such header was sent. Each line is read by itself, so that none can change
    /// how another is read.
    private func hops(
        _ name: HTTPField.Name?, _ headers: HTTPFields, _ read: (String) -> [IPAddress?]
    ) -> [IPAddress?]? {
        let lines = name.map { headers[values: $0] } ?? []
        return lines.isEmpty ? nil : lines.flatMap(read)
    }

    /// Walks from the proxy outwards. Beyond a hop that cannot be read nothing can be believed.
    private func rightmostUntrusted(_ hops: [IPAddress?]) -> ClientAddress {
        var nearest = ClientAddress.unknown
        for hop in hops.reversed() {
            guard let hop else { return .unknown }
            nearest = .known(hop)
            if !isTrusted(hop) { return nearest }
        }
        return nearest
    }
}
