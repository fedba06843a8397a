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

    /// Whether it is certainly this very machine.
    package var isThisMachine: Bool {
        switch self {
        case .known(let address): address.isLoopback
        case .unknown: false
        }
    }

    /// What is kept and shown of it; nil if unknown.
    package var ipAddress: IPAddress? {
        switch self {
        case .known(let address): address
        case .unknown: nil
        }
    }

    /// What is fair to each client counts by.
    package var bucket: String {
        switch self {
        case .known(let address): address.bucket
        case .unknown: description
        }
    }

    /// What limits count by, each with how many times the amount it may use.
    package var networks: [(name: String, share: Int)] {
        switch self {
        case .known(let address): address.networks
        case .unknown: [(description, 1)]
        }
    }

    package var description: String {
        switch self {
        case .known(let address): address.description
        case .unknown: "unknown"
        }
    }
}
