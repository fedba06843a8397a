package import NIOCore

/// Where a request comes from, as far as its connection and trusted proxies tell. Who asks whether
/// somebody is near, or what to count and to keep, has to say what holds for an unknown one.
package enum ClientAddress: Sendable, Hashable, CustomStringConvertible {
    case known(IPAddress)
    /// Nobody can tell, or not for certain: never near, and one stranger to every limit.
    case unknown

    /// The other end of a connection; unknown where it has no network address.
    package init(peerAt address: SocketAddress?) {
        self = address.flatMap(IPAddress.init).map(Self.known) ?? .unknown
    }

    /// What is kept and shown of it; nil if unknown.
    package var ipAddress: IPAddress? {
        switch self {
        case .known(let address): address
        case .unknown: nil
        }
    }

    /// Whether it is certainly this very machine.
    package var isThisMachine: Bool { ipAddress?.isLoopback ?? false }

    /// What is fair to each client counts by.
    package var bucket: String { ipAddress?.bucket ?? description }

    /// What limits count by, each with how many times the amount it may use.
    package var networks: [(name: String, share: Int)] { ipAddress?.networks ?? [(description, 1)] }

    package var description: String { ipAddress?.description ?? "unknown" }
}
