import Foundation
import StoreSupport
import Synchronization
import Testing

@testable import Vestibule

/// Stands between a node and the server on a port of loopback, counts the round trips, and cuts a
/// connection when the server has answered and the node has not heard it.
final class AnswerDropper: Sendable {
    let port: UInt16
    private let isArmed = Atomic(false)
    private let dropped = Atomic(0)
    private let asked = Atomic(0)
    private let listener: Int32
    private let server: String

    /// Before the server of that database. Returns the database's address, too, as a node has it
    /// that is served through here.
    static func before(_ database: PostgresDatabase) throws -> (AnswerDropper, PostgresURL) {
        let place = try #require(URLComponents(string: database.url.text))
        let server = try #require(place.queryItems?.first { $0.name == "host" }?.value)
        let port = try #require(place.queryItems?.first { $0.name == "port" }?.value)
        let dropper = try AnswerDropper(server: "\(server)/.s.PGSQL.\(port)")
        let direct = "postgres://\(try #require(place.user))@127.0.0.1:\(dropper.port)\(place.path)?sslmode=disable"
        return (dropper, try #require(PostgresURL(direct)))
    }

    /// `server` is the path of a Unix socket.
    private init(server: String) throws {
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

    /// How often a node has asked the server and waited for what it answers.
    var questions: Int { asked.load(ordering: .relaxed) }

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
        var isAsking = false
        while poll(&ends, 2, -1) >= 0 {
            for (from, to) in [(0, 1), (1, 0)] where ends[from].revents != 0 {
                let count = recv(ends[from].fd, &bytes, bytes.count, 0)
                guard count > 0 else { return }
                if from == 0, !isAsking { asked.add(1, ordering: .relaxed) }
                isAsking = from == 0
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
