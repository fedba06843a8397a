import Bytes
import Foundation

/// Asks a server on this machine for `/readyz` over a plain socket: no library is loaded for it.
struct ReadinessProbe {
    /// As the server listens on it. To connect to the unspecified address means this machine.
    let host: String
    let port: Int

    struct Answer {
        let isReady: Bool
        /// `ok`, or the part that cannot work; the status line if another server answered.
        let word: String
    }

    /// Why there is no answer.
    enum Silence: Error {
        case noServer
        /// The connection was accepted.
        case late
    }

    /// Each step may take this long: a server whose database hangs says so after 7 s.
    private static let patience = timeval(tv_sec: 9, tv_usec: 0)
    /// Far more than the answer has.
    private static let longestAnswer = 16_384

    /// Blocks until the server has answered.
    func ask() throws(Silence) -> Answer {
        guard let connection = connected() else { throw .noServer }
        let request = Array("GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
        defer { close(connection) }
        guard send(connection, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { throw .noServer }
        let bytes = try Self.received(connection)
        let lines = String(decoding: bytes, as: UTF8.self).textLines
        let isReady = lines[0].begins(with: "HTTP/1.1 200 ")
        let isOurs = isReady || lines[0].begins(with: "HTTP/1.1 503 ")
        // A body of one line ends with a newline.
        return Answer(isReady: isReady, word: String(isOurs ? lines.dropLast().last ?? lines[0] : lines[0]))
    }

    /// All that comes until the connection ends.
    private static func received(_ connection: Int32) throws(Silence) -> [UInt8] {
        let end = ContinuousClock.now + .seconds(patience.tv_sec)
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while bytes.count < longestAnswer {
            let count = recv(connection, &piece, piece.count, 0)
            if count == 0 && !bytes.isEmpty { return bytes }
            guard count > 0 else { throw count < 0 && errno == EAGAIN ? .late : .noServer }
            guard .now < end else { throw .late }
            bytes += piece.prefix(count)
        }
        return bytes
    }

    /// The first of the host's addresses that takes the connection.
    private func connected() -> Int32? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &found) == 0 else { return nil }
        defer { freeaddrinfo(found) }
        var next = found
        while let address = next?.pointee {
            let connection = socket(address.ai_family, address.ai_socktype, 0)
            for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
                var patience = Self.patience
                setsockopt(connection, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
            }
            if connect(connection, address.ai_addr, address.ai_addrlen) == 0 { return connection }
            close(connection)
            next = address.ai_next
        }
        return nil
    }
}
