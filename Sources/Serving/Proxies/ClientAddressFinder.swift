package import Essentials
package import HTTPTypes

/// Finds the client behind trusted proxies: the rightmost hop that is not one of them (RFC 7239,
/// X-Forwarded-For).
package struct ClientAddressFinder: Sendable {
    let trusted: [IPRange]

    package init(trusted: [IPRange]) {
        self.trusted = trusted
    }

    /// The address to believe for a request from `peer`. Headers count only when the peer is a
    /// trusted proxy; when `Forwarded` and `X-Forwarded-For` disagree, one of them came from the
    /// client, and the peer itself is returned.
    package func client(peer: IPAddress, headers: HTTPFields) -> IPAddress {
        guard isTrusted(peer) else { return peer }
        let forwarded = hops("Forwarded", headers, ForwardedHops.forwarded)
        let xForwardedFor = hops("X-Forwarded-For", headers, ForwardedHops.xForwardedFor)
        switch (forwarded, xForwardedFor) {
        case (let hops?, nil), (nil, let hops?): return rightmostUntrusted(hops) ?? peer
        case (let left?, let right?):
            let believed = rightmostUntrusted(left)
            return believed == rightmostUntrusted(right) ? believed ?? peer : peer
        case (nil, nil): return peer
        }
    }

    package func isTrusted(_ address: IPAddress) -> Bool {
        trusted.contains { $0.contains(address) }
    }

    /// Returns nil if no such header was sent. Each line is read by itself, so that none can change
    /// how another is read.
    private func hops(
        _ name: String, _ headers: HTTPFields, _ read: (String) -> [IPAddress?]
    ) -> [IPAddress?]? {
        let lines = HTTPField.Name(name).map { headers[values: $0] } ?? []
        return lines.isEmpty ? nil : lines.flatMap(read)
    }

    /// Walks from the proxy outwards; an unreadable hop ends the walk, as nothing beyond it can be
    /// believed.
    private func rightmostUntrusted(_ hops: [IPAddress?]) -> IPAddress? {
        var nearest: IPAddress?
        for hop in hops.reversed() {
            guard let hop else { return nearest }
            nearest = hop
            if !isTrusted(hop) { return hop }
        }
        return nearest
    }
}
