import NIOCore
import NIOPosix

/// A connection to a served house that says, byte by byte, what no client library would.
struct RawConnection {
    typealias Wrapped = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    let channel: Wrapped

    /// With `reads` false it takes nothing from the socket.
    init(_ house: House, reads: Bool = true) async throws {
        channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.autoRead, value: reads)
            .connect(host: "127.0.0.1", port: house.client.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel(
                        wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
                }
            }
    }

    /// What comes back until the server closes.
    static func exchange(_ request: String, with house: House, closes: Bool = false) async throws -> String {
        try await RawConnection(house).channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: request))
            if closes { outbound.finish() }
            return try await inbound.reduce(into: "") { $0 += String(buffer: $1) }
        }
    }
}
