import CLibPQ
import Foundation

extension LibPQConnection {
    /// Connects to one server until the deadline. Throws `PostgresFault`.
    static func connect(_ server: [PostgresAddress.Option], until deadline: ContinuousClock.Instant) throws
        -> OpaquePointer
    {
        let (names, values) = (server.map(\.name), server.map(\.value))
        let started = withTexts(names) { names in withTexts(values) { libpq.PQconnectStartParams(names, $0, 1) } }
        guard let started else { throw PostgresFault("no memory for a connection") }
        func abandoned(_ message: String) -> PostgresFault {
            libpq.PQfinish(started)
            return PostgresFault(message)
        }
        // Without one, libpq writes the server's notices to standard error.
        _ = libpq.PQsetNoticeReceiver(started, { _, _ in }, nil)
        var next = PGRES_POLLING_WRITING
        while next != PGRES_POLLING_OK {
            guard next != PGRES_POLLING_FAILED, libpq.PQstatus(started) != CONNECTION_BAD else {
                throw abandoned(message(of: started))
            }
            let events = next == PGRES_POLLING_READING ? POLLIN : POLLOUT
            guard poll(libpq.PQsocket(started), Int16(events), until: deadline) else {
                throw abandoned("\(place(of: started)): the database server did not answer in time")
            }
            next = libpq.PQconnectPoll(started)
        }
        // Sending never waits in libpq, which knows no deadline.
        guard libpq.PQsetnonblocking(started, 1) == 0 else { throw abandoned(message(of: started)) }
        return started
    }

    /// Waits until one of the events has come; returns false when the time is over.
    static func poll(_ socket: Int32, _ events: Int16, until deadline: ContinuousClock.Instant) -> Bool {
        while true {
            let left = (deadline - .now).components
            let milliseconds = left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000
            guard milliseconds > 0 else { return false }
            var one = pollfd(fd: socket, events: events, revents: 0)
            let count = Foundation.poll(&one, 1, Int32(min(milliseconds, 60_000)))
            if count > 0 { return true }
            guard count == 0 || errno == EINTR else { return false }
        }
    }

    /// Host and port.
    static func place(of handle: OpaquePointer) -> String {
        [libpq.PQhost(handle), libpq.PQport(handle)].compactMap { $0.map { String(cString: $0) } }
            .joined(separator: ":")
    }

    /// What libpq says last, in one line.
    static func message(of handle: OpaquePointer) -> String {
        let text = libpq.PQerrorMessage(handle).map { String(cString: $0) } ?? ""
        let line = text.utf8.split { $0 == 0x0A || $0 == 0x09 }.compactMap { String($0) }.joined(separator: " ")
        return line.isEmpty ? "the connection to the database server is lost" : line
    }
}

/// Calls with an array of C strings that ends with NULL.
private func withTexts<Value>(_ texts: [String], _ work: ([UnsafePointer<CChar>?]) -> Value) -> Value {
    let copies = texts.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    return work(copies.map { $0.map { UnsafePointer($0) } } + [nil])
}
