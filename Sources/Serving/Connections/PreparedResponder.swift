import Essentials
import NIOCore
import NIOHTTP1

/// Answers requests of one connection that need no waiting, by writing the bytes of the answer to
/// the socket.
struct PreparedResponder {
    let bytes: PreparedBytesOfLoop
    let connection: ConnectionGuard
    let peer: ClientAddress
    /// Whether the peer is a proxy whose forwarding headers are believed.
    let isTrusted: Bool

    /// Nil for what the routes have to answer.
    func answer(to head: HTTPRequestHead, _ fields: HeadFields) -> ByteBuffer? {
        head.version == .http1_1 ? bytes.answer(to: head, fields, from: peer, trustsForwarding: isTrusted) : nil
    }

    /// Tells all that look after the connection what they learn of other answers on the way through
    /// them.
    func send(_ answer: ByteBuffer, past gate: PipelineGate) {
        guard let socket = gate.context else { return }
        let written = socket.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { [gate] _ in gate.flushed() }
        gate.answered()
        connection.hasAnswered(socket.eventLoop)
        socket.writeAndFlush(NIOAny(answer), promise: written)
    }
}
