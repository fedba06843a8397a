import Essentials
import Logging
import NIOCore
import Synchronization

/// Counts the open connections of each client address (IPv6 by /64), but not those of trusted
/// proxies, which bring many.
final class ClientConnections: Sendable {
    private struct State {
        var open: [String: Int] = [:]
        /// Refused since the last line in the log.
        var refused = 0
        var quietUntil = NIODeadline.uptimeNanoseconds(0)
    }

    private static let quiet: TimeAmount = .minutes(1)
    private let atMost: Int
    private let proxies: ClientAddressFinder
    private let logger: Logger
    private let state = Mutex(State())

    init(atMost: Int, proxies: ClientAddressFinder, logger: Logger) {
        self.atMost = atMost
        self.proxies = proxies
        self.logger = logger
    }

    /// Counts the connection until it is closed. Returns false, and does not count it, when its
    /// client has as many as it may.
    func admit(_ channel: any Channel) -> Bool {
        let client = ClientAddress(peerAt: channel.remoteAddress)
        guard !proxies.isTrusted(client) else { return true }
        let key = client.bucket
        guard open(key) else {
            noteRefusal(key)
            return false
        }
        channel.closeFuture.whenComplete { _ in self.close(key) }
        return true
    }

    private func open(_ key: String) -> Bool {
        state.withLock { state in
            guard state.open[key, default: 0] < atMost else { return false }
            state.open[key, default: 0] += 1
            return true
        }
    }

    private func close(_ key: String) {
        state.withLock { state in
            let left = state.open[key, default: 1] - 1
            state.open[key] = left > 0 ? left : nil
        }
    }

    /// One line a minute at most.
    private func noteRefusal(_ key: String) {
        let refused = state.withLock { state -> Int? in
            state.refused += 1
            guard state.quietUntil <= .now() else { return nil }
            defer { state.refused = 0 }
            state.quietUntil = .now() + Self.quiet
            return state.refused
        }
        guard let refused else { return }
        logger.warning(
            "a client has as many connections as it may have",
            metadata: ["event": "connections_refused", "source_ip": "\(key)", "refused": "\(refused)"])
    }
}

/// Closes a connection as soon as it is there.
final class ConnectionRefusal: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    func channelActive(context: ChannelHandlerContext) {
        context.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}
}
