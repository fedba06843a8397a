import Essentials
package import HummingbirdCore
package import Logging
package import NIOCore
import NIOHTTPTypesHTTP1

/// One connection: HTTP/1.1 as Hummingbird speaks it, with a look at the head before anything else.
package struct HTTPChannel: ServerChildChannel {
    private let channel: HTTP1Channel
    private let clients: ClientConnections
    private let turns = ByLoop(PipelineTurns.init)
    private let prepared: ByLoop<PreparedBytesOfLoop>
    private let settings: ConnectionSettings
    private static let reads = AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 2048, maximum: 16 * 1024)

    /// Small headers (16 KiB together, 100 of them), a deadline a request, and our headers on every
    /// answer.
    package init(
        _ settings: ConnectionSettings, _ answers: PreparedAnswers, logger: Logger,
        responder: @escaping HTTPChannelHandler.Responder
    ) {
        let headers = settings.headers.onOtherHosts
        prepared = ByLoop { _ in PreparedBytesOfLoop(answers) }
        self.settings = settings
        clients = ClientConnections(
            atMost: settings.perClient, proxies: settings.proxies, logger: logger)
        channel = HTTP1Channel(
            responder: responder,
            configuration: .init(
                additionalChannelHandlers: [ConnectionGuard(headers: headers, patience: settings.patience)],
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 16 * 1024, maxHeaderListSize: 16 * 1024, maxHeaderFieldCount: 100
                )
            )
        )
    }

    package func setup(channel connection: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        let isAdmitted = clients.admit(connection)
        return channel.setup(channel: connection, logger: logger).flatMapThrowing { value in
            let pipeline = connection.pipeline.syncOperations
            guard isAdmitted else {
                try pipeline.addHandler(ConnectionRefusal(), position: .first)
                return value
            }
            // One read at a time, and a small one: what is read ahead waits in memory.
            try connection.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
            try connection.syncOptions?.setOption(.recvAllocator, value: Self.reads)
            let gate = PipelineGate(turns: turns.value(of: connection.eventLoop))
            try pipeline.addHandler(gate, position: .first)
            try pipeline.addHandler(
                RequestHeadValidator(gate, responder(of: connection)),
                position: .before(pipeline.handler(type: HTTP1ToHTTPServerCodec.self)))
            return value
        }
    }

    /// Nil for a peer that gets no page.
    func responder(of connection: any Channel) throws -> PreparedResponder? {
        let peer = ClientAddress(peerAt: connection.remoteAddress)
        guard settings.loopbackOnly.admits(peer) else { return nil }
        return PreparedResponder(
            bytes: prepared.value(of: connection.eventLoop),
            connection: try connection.pipeline.syncOperations.handler(type: ConnectionGuard.self),
            peer: peer, isTrusted: settings.proxies.isTrusted(peer))
    }

    package func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await channel.handle(value: value, logger: logger)
    }
}
