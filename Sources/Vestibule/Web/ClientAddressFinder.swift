import Foundation
package import HTTPTypes

/// Finds the client behind trusted proxies: the rightmost hop that is not one of them (RFC 7239, X-Forwarded-For).
package struct ClientAddressFinder: Sendable {
    let trusted: [AddressRange]

    package init(trusted: [AddressRange]) {
        self.trusted = trusted
    }

    /// The address to believe for a request from `peer`. Headers count only when the peer is a trusted proxy; when
    /// `Forwarded` and `X-Forwarded-For` disagree, one of them came from the client, and the peer itself is returned.
    package func client(peer: ClientAddress, headers: HTTPFields) -> ClientAddress {
        guard isTrusted(peer) else { return peer }
        let forwarded = hops(Self.values("Forwarded", headers), element: forwardedFor)
        let xForwardedFor = hops(Self.values("X-Forwarded-For", headers)) { node($0.trimmingSpaces) }
        switch (forwarded, xForwardedFor) {
        case (let hops?, nil), (nil, let hops?): return rightmostUntrusted(hops) ?? peer
        case (let left?, let right?):
            let believed = rightmostUntrusted(left)
            return believed == rightmostUntrusted(right) ? believed ?? peer : peer
        case (nil, nil): return peer
        }
    }

    private static func values(_ name: String, _ headers: HTTPFields) -> [String] {
        HTTPField.Name(name).map { headers[values: $0] } ?? []
    }

    private func isTrusted(_ address: ClientAddress) -> Bool {
        trusted.contains { $0.contains(address) }
    }

    private func hops(_ values: [String], element: (Substring) -> ClientAddress?) -> [ClientAddress?]? {
        guard !values.isEmpty else { return nil }
        return values.joined(separator: ",").split(separator: ",", omittingEmptySubsequences: false).map(element)
    }

    /// Walks from the proxy outwards; an unreadable hop ends the walk, as nothing beyond it can be believed.
    private func rightmostUntrusted(_ hops: [ClientAddress?]) -> ClientAddress? {
        var nearest: ClientAddress?
        for hop in hops.reversed() {
            guard let hop else { return nearest }
            nearest = hop
            if !isTrusted(hop) { return hop }
        }
        return nearest
    }

    /// The `for` parameter of one Forwarded element: `for=192.0.2.1`, `for="[2001:db8::1]:4711"`.
    private func forwardedFor(_ element: Substring) -> ClientAddress? {
        for pair in element.split(separator: ";") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].trimmingSpaces.lowercased() == "for" else { continue }
            return node(parts[1].trimmingCharacters(in: .init(charactersIn: "\" ")))
        }
        return nil
    }

    /// An address with or without a port: `192.0.2.1`, `192.0.2.1:4711`, `[2001:db8::1]:4711`.
    private func node(_ text: String) -> ClientAddress? {
        if text.hasPrefix("[") { return ClientAddress(text.dropFirst().prefix { $0 != "]" }) }
        return ClientAddress(text) ?? ClientAddress(text.prefix { $0 != ":" })
    }
}
