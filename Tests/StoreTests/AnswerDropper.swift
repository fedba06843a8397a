import Foundation
import Synchronization

/// Stands between a node and the server on a port of loopback, and cuts a connection when the
/// server has answered and the node has not heard it.
final class AnswerDropper: Sendable {
    let port: UInt16
    private let isArmed = Atomic(false)
    private let dropped = Atomic(0)
    private let listener: Int32
    private let server: String

    /// `server` is the path of a Unix socket.
    init(server: String) throws {
        self.server = server
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isBound = Self.with(&address) { bind(listener, $0, size) == 0 && getsockname(listener, $0, &size) == 0 }
        guard isBound, listen(listener, 8) == 0 else { throw POSIXError(.EADDRINUSE) }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                Thread.detachNewThread { [self] in relay(client) }
            }
        }
    }

    /// How many answers were dropped.
    var count: Int { dropped.load(ordering: .relaxed) }

    func dropNextAnswer() {
        isArmed.store(true, ordering: .relaxed)
    }

    private func relay(_ client: Int32) {
        let upstream = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { [client, upstream].forEach { close($0) } }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: server.utf8.prefix($0.count - 1)) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        guard Self.with(&address, { connect(upstream, $0, size) }) == 0 else { return }
        var ends = [client, upstream].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while poll(&ends, 2, -1) >= 0 {
            for (from, to) in [(0, 1), (1, 0)] where ends[from].revents != 0 {
                let count = recv(ends[from].fd, &bytes, bytes.count, 0)
                guard count > 0 else { return }
                if from == 1, isArmed.exchange(false, ordering: .relaxed) {
                    dropped.add(1, ordering: .relaxed)
                    return
                }
                guard send(ends[to].fd, bytes, count, Int32(MSG_NOSIGNAL)) == count else { return }
            }
        }
    }

    private static func with<Address, Value>(
        _ address: inout Address, _ work: (UnsafeMutablePointer<sockaddr>) -> Value
    )
        -> Value
    {
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1, work)
        }
    }
}
